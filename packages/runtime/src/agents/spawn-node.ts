import { limitsProblem } from '../check-limits.js';
import { faultText } from '../hook-list.js';
import type { AgentCore } from './agent-core.js';
import { AgentNode } from './agent-node.js';
import type { AgentBudget, SpawnOptions } from './agent-types.js';
import { Purse } from './purse.js';

/** Makes a node below another, or says why not. `id` is for one that lived in another process. */
export function spawnNode(
  core: AgentCore,
  parent: AgentNode,
  name: string,
  budget: AgentBudget,
  as: SpawnOptions & { readonly id?: string | undefined } = {},
): AgentNode | string {
  const { registry, clock, trace, options } = core;
  const { purse } = parent;
  const spec = registry.get(name);
  if (!spec) return `unknown agent "${String(name).slice(0, 80)}" (known: ${[...registry.keys()].sort().join(', ')})`;
  if (parent.state === 'closed' || parent.closing !== undefined) return `parent closed: ${parent.id}`;
  if (parent.depth + 1 > purse.maxDepth) return `maxDepth ${purse.maxDepth} exceeded`;
  if (parent.children.length >= purse.maxChildren) return `maxChildren ${purse.maxChildren} exceeded`;
  const own = { ...spec.budget, ...budget };
  const problem = limitsProblem(own);
  if (problem) return `budget: ${problem}`;
  const limit = purse.exhausted(clock.now());
  if (limit) return `budget exhausted (${limit}); spawn refused`;
  parent.spawned += 1;
  const node = new AgentNode({
    id: as.id ?? `${parent.id}/${name}.${parent.spawned}`,
    name,
    spec,
    parent,
    purse: new Purse(own, purse, clock.now()),
    inboxCap: options.inboxCap ?? 8,
    conversation: as.conversation,
  });
  parent.children.push(node);
  trace.add(node.id, `spawned (depth ${node.depth}, tokens ${node.pool.tokens})`);
  node.before = Promise.resolve()
    .then(() => spec.onSpawn?.(node))
    .catch((error) => trace.add(node.id, `onSpawn error: ${faultText(error)}`));
  return node;
}
