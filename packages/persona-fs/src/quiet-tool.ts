import type { ITool } from '@x/core';

/** The tool by which a model decides that a beat stays silent, and whether it did. One for each beat. */
export interface QuietTool {
  readonly tool: ITool<unknown>;
  readonly called: () => boolean;
}

export function createQuietTool(): QuietTool {
  let called = false;
  return {
    called: () => called,
    tool: {
      name: 'heartbeat_ok',
      description:
        'Ends this heartbeat in silence. Call it when there is nothing that the user should hear; never when you have something to report.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      repeat: 'idempotent',
      execute() {
        called = true;
        return 'This beat stays silent. Write nothing more.';
      },
    },
  };
}
