import type { AgentCore } from './agent-core.js';
import { pathOf } from './agent-core.js';
import type { AgentNode } from './agent-node.js';
import type { AgentResult, Handle, VerbResult, WakeOptions } from './agent-types.js';
import { closeNode } from './close-node.js';
import { loadParked, resumeNode } from './resume-node.js';
import { spawnNode } from './spawn-node.js';
import type { TaskCall, TaskEnd, TaskVerbs } from './task-tool.js';

/** What tasks need of the runtime's verbs. */
export interface TaskRuntime {
  readonly core: AgentCore;
  adopt(node: AgentNode): void;
  next(node: AgentNode): void;
  wake(node: Handle, prompt: string, options: WakeOptions): VerbResult;
  wait(node: Handle, options: { readonly by: Handle }): Promise<AgentResult>;
}

/** How the `task` tool starts a child, waits for it, and hands an answer down to it. */
export function createTaskVerbs(runtime: () => TaskRuntime): Pick<TaskVerbs, 'run' | 'answer'> {
  return {
    async run(parent, name, prompt, call) {
      const { core, wake, wait, adopt } = runtime();
      const child = spawnNode(core, parent, name, {}, { conversation: taskConversation(parent, call) });
      if (typeof child === 'string') return { refused: child };
      adopt(child);
      parent.tasks.set(call.callId, child);
      const above = core.sharesLane(child);
      if (above) {
        await end(core, parent, child, call);
        return { refused: `agent "${name}" lives in the lane of ${above.id}, which is running. Give it a lane of its own.` };
      }
      const woke = wake(child, prompt, { origin: 'internal' });
      if (woke.ok) return until(core, parent, child, call, wait(child, { by: parent }));
      await end(core, parent, child, call);
      return { refused: woke.error };
    },
    async answer(parent, name, answer, call) {
      const { core, next } = runtime();
      const child = parent.tasks.get(call.callId) ?? (await restore(runtime(), parent, name, call));
      if (typeof child === 'string') return { refused: child };
      core.trace.add(parent.id, `task replay → REATTACH to ${child.id} (state ${child.state})`);
      return until(core, parent, child, call, resumeNode(core, child, answer, { durable: parent.resuming, next }));
    },
  };
}

/** A child that asked in another process: the question tells its id, the call its conversation. */
async function restore({ core, adopt }: TaskRuntime, parent: AgentNode, name: string, call: TaskCall): Promise<AgentNode | string> {
  const path = parent.pendingRequest && pathOf(parent.pendingRequest);
  const id = path
    ?.split('/')
    .slice(0, parent.depth + 2)
    .join('/');
  const own = id?.startsWith(`${parent.id}/${name}.`) ? id : undefined;
  const child = spawnNode(core, parent, name, {}, { id: own, conversation: taskConversation(parent, call) });
  if (typeof child === 'string') return child;
  adopt(child);
  parent.spawned = Math.max(parent.spawned, Number(own?.slice(own.lastIndexOf('.') + 1) ?? 0));
  parent.tasks.set(call.callId, child);
  await loadParked(core, child);
  return child;
}

async function until(
  core: AgentCore,
  parent: AgentNode,
  child: AgentNode,
  call: TaskCall,
  running: Promise<AgentResult>,
): Promise<TaskEnd> {
  const stop = (): void => void closeNode(core, child, { force: true, reason: 'interrupted' });
  call.signal?.addEventListener('abort', stop, { once: true });
  try {
    if (call.signal?.aborted) stop();
    const result = await running;
    if (result.status !== 'pending') await end(core, parent, child, call);
    return result;
  } finally {
    call.signal?.removeEventListener('abort', stop);
  }
}

async function end(core: AgentCore, parent: AgentNode, child: AgentNode, call: TaskCall): Promise<void> {
  parent.tasks.delete(call.callId);
  await closeNode(core, child, { force: false, reason: 'closed' });
}

/** No two tasks share a conversation, in this process or another. */
function taskConversation(parent: AgentNode, call: TaskCall): string {
  return `${parent.conversation}#${call.turn}#${call.callId}`;
}
