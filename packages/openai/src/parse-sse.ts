/** One message of a server-sent event stream. */
export interface SseMessage {
  /** The name after `event:`; `''` when there is none. */
  readonly event: string;
  readonly data: string;
}

/** Reads a stream of bytes piece by piece. */
export interface SseParser {
  /** The messages that these bytes complete. */
  push(bytes: Uint8Array): readonly SseMessage[];
  /** A last message that no blank line closed. */
  end(): readonly SseMessage[];
}

const NONE: readonly SseMessage[] = [];

/**
 * Makes a reader of server-sent events. Bytes may be cut anywhere, inside a character, a line end or a message: one
 * decoder and one buffer live as long as the stream.
 *
 * @remarks Source: HTML Standard, section 9.2.6; lines end in LF or CRLF. A lone CR, which no known server sends, is text.
 * Some servers leave out the blank line; where the data so far is a whole JSON object, the next data begins a message.
 */
export function createSseParser(): SseParser {
  const decoder = new TextDecoder();
  let buffer = '';
  let event = '';
  let data: string | undefined;
  let mayBeWhole = false;
  let messages: SseMessage[] = [];
  const close = (): void => {
    if (data !== undefined) messages.push({ event, data });
    event = '';
    data = undefined;
  };
  const read = (): SseMessage[] => {
    messages = [];
    let from = 0;
    for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n', from)) {
      const line = buffer.slice(from, end > from && buffer.charCodeAt(end - 1) === 13 ? end - 1 : end);
      from = end + 1;
      if (line === '') close();
      else field(line);
    }
    buffer = from === 0 ? buffer : buffer.slice(from);
    return messages;
  };
  const field = (line: string): void => {
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1);
    if (data !== undefined && mayBeWhole && (name === 'data' || name === 'event') && isWhole(data)) close();
    if (name === 'data') {
      data = data === undefined ? value : `${data}\n${value}`;
      // Told by the line alone: to read all of the data again at each line would take the square of its length.
      mayBeWhole = value.trimEnd().endsWith('}');
    } else if (name === 'event') event = value;
  };
  return {
    push(bytes) {
      buffer += decoder.decode(bytes, { stream: true });
      return buffer.includes('\n') ? read() : NONE;
    },
    end() {
      buffer += `${decoder.decode()}\n\n`;
      return read();
    },
  };
}

function isWhole(data: string): boolean {
  if (!data.startsWith('{')) return false;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}
