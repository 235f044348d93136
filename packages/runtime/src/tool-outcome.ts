import type { ToolResult } from '@x/core';

/** What a tool gave, as a result. Tools come from anywhere: what is none is written down as JSON. */
export function asResult(value: unknown): ToolResult {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (value instanceof Error) return { output: thrownText(value), isError: true };
  if (typeof value !== 'object' || value === null) return String(value);
  const { output, content, isError } = value as { output?: unknown; content?: unknown; isError?: unknown };
  if (typeof output === 'string') return value as ToolResult;
  // A tool of another house may say in its own shape that it failed, as those of the Model Context Protocol do.
  const text = textIn(content) ?? jsonOf(value);
  return isError === true ? { output: text, isError: true } : text;
}

/** What a thrown value says; anything can be thrown. */
export function thrownText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, name, errors } = error as { message?: unknown; name?: unknown; errors?: unknown };
  const own = typeof message === 'string' ? message : '';
  const inner = Array.isArray(errors) ? errors.slice(0, 5).map(thrownText).join('; ') : '';
  const told = [own, inner].filter((text) => text !== '').join(': ');
  if (told !== '') return told;
  return error instanceof Error || typeof name === 'string' ? String(name) : jsonOf(error);
}

function textIn(content: unknown): string | undefined {
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const texts: string[] = [];
  for (const part of content as readonly unknown[]) {
    const text = partText((part ?? {}) as Part);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return texts.join('\n');
}

/** A part of a result in the shape of MCP. */
interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly blob?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly resource?: unknown;
}

// A result is text: a picture in it would be read as some hundred thousand letters of base64.
function partText({ type, text, data, mimeType, uri, resource }: Part): string | undefined {
  if (type === 'text') return typeof text === 'string' ? text : undefined;
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return `(${type}, ${sizeOf(mimeType, data)}, not shown)`;
  if (type === 'resource_link' && typeof uri === 'string') return `(resource ${uri})`;
  if (type !== 'resource' || typeof resource !== 'object' || resource === null) return undefined;
  const inner = resource as Part;
  if (typeof inner.text === 'string') return inner.text;
  return typeof inner.blob === 'string' ? `(resource ${String(inner.uri)}, ${sizeOf(inner.mimeType, inner.blob)}, not shown)` : undefined;
}

/** The kind and the size of what stands in base64. */
function sizeOf(mimeType: unknown, base64: string): string {
  return `${typeof mimeType === 'string' ? `${mimeType}, ` : ''}${Math.ceil((base64.length * 3) / 4)} bytes`;
}

// The tool has done its work by now, so no value may make a failure of it.
function jsonOf(value: object): string {
  const above: unknown[] = [];
  function plain(this: unknown, _key: string, item: unknown): unknown {
    if (typeof item === 'bigint') return String(item);
    if (typeof item !== 'object' || item === null) return item;
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (above.includes(item)) return '(itself)';
    above.push(item);
    if (item instanceof Map) return Object.fromEntries(item);
    return item instanceof Set ? [...item] : item;
  }
  try {
    return JSON.stringify(value, plain) ?? String(value);
  } catch {
    return String(value);
  }
}
