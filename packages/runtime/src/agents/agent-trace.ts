/** Lines that a runtime keeps; older ones leave. The figure is ours. */
const MAX_LINES = 10_000;

/** What the handles of a runtime went through, as lines `<id>: <event>`. */
export interface AgentTrace {
  readonly lines: readonly string[];
  add(id: string, event: string): void;
}

export function createAgentTrace(): AgentTrace {
  let lines: string[] = [];
  return {
    get lines() {
      return lines;
    },
    add(id, event) {
      if (lines.length >= MAX_LINES) lines = lines.slice(MAX_LINES / 10);
      lines.push(`${id}: ${event}`);
    },
  };
}
