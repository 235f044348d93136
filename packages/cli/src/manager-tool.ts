import { type ITool, pending } from '@x/agentos';

/** What Sam may not promise alone: a human says yes or no, in the manager's place. */
export const callManager: ITool<{ readonly telephone?: unknown }> = {
  name: 'call_manager',
  description:
    'Has the manager call the customer back about an exception that you cannot make yourself. Needs the telephone number. A human is asked first; promise nothing before the result says so.',
  inputSchema: {
    type: 'object',
    properties: { telephone: { type: 'string', description: 'Where the manager reaches the customer.' } },
    required: ['telephone'],
  },
  execute({ telephone }, { answer, callId = 'call' }) {
    if (answer) return 'The manager has been notified and calls back today.';
    return pending({
      id: `call_manager:${callId}`,
      kind: 'approval',
      prompt: `A customer asks for an exception. May I promise that the manager calls ${String(telephone)} today?`,
    });
  },
};
