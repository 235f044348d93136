/**
 * A process that dies at a chosen step. Everything it does to the world outside (reads, commits, model calls) and every
 * step of its hook passes a checkpoint; at the chosen one it stops for good, as if killed: nothing after it happens, and
 * what it was about to hear it never hears.
 */
export function createMortal(crashAt = Number.POSITIVE_INFINITY) {
  let steps = 0;
  let dead = false;
  let tellDeath;
  const names = [];
  const died = new Promise((resolve) => {
    tellDeath = resolve;
  });
  const never = new Promise(() => {});
  const step = async (name) => {
    if (dead) return never;
    steps += 1;
    names.push(name);
    if (steps === crashAt) {
      dead = true;
      tellDeath(name);
      return never;
    }
  };
  return {
    died,
    step,
    get steps() {
      return steps;
    },
    get names() {
      return names;
    },
    store: (inner) => ({
      async open(scope, options) {
        const lane = await inner.open(scope, options);
        return {
          ...lane,
          async load(...args) {
            await step('load');
            return lane.load(...args);
          },
          async commit(change) {
            const what = change.turn.startsWith('batch:') ? 'batch' : 'turn';
            await step(`before the commit of a ${what}`);
            const result = await lane.commit(change);
            await step(`after the commit of a ${what}`);
            return result;
          },
        };
      },
    }),
    model: (inner, name) => ({
      modelId: inner.modelId,
      providerId: inner.providerId,
      capabilities: inner.capabilities,
      async *stream(request, options) {
        await step(`before a call of the ${name}`);
        const events = [];
        for await (const event of inner.stream(request, options)) events.push(event);
        await step(`after a reply of the ${name}`);
        yield* events;
      },
    }),
    hook: (inner) => ({
      ...inner,
      async afterTurn(turn) {
        await step('before the trigger');
        const decided = inner.afterTurn(turn);
        await step('after the trigger');
        return decided;
      },
      async runBatch(batch, work) {
        await step('before the batch');
        let applied = 0;
        // `state` and the like are getters: the view inherits them.
        const seen = Object.create(work, {
          apply: {
            value: (operation, why) => {
              applied += 1;
              work.apply(operation, why);
            },
          },
        });
        await inner.runBatch(batch, seen);
        for (let one = 1; one <= applied; one += 1) await step('between an applied change and its commit');
      },
    }),
  };
}
