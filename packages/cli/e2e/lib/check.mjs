/** Counts tests that say how they went as they go. */
export function createChecks() {
  let passed = 0;
  let failed = 0;
  return {
    /**
     * Runs one test; the next ones run all the same.
     *
     * @param {string} title - A fact.
     * @param {() => Promise<void>} run
     */
    async check(title, run) {
      try {
        await run();
        passed += 1;
        console.log(`ok   ${title}`);
      } catch (error) {
        failed += 1;
        console.log(`FAIL ${title}: ${error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : error}`);
      }
    },
    /** Says the sum of all tests and ends the process. */
    end() {
      console.log(`${passed} passed, ${failed} failed`);
      process.exit(failed === 0 ? 0 : 1);
    },
  };
}

/** @param {string} why - Said when it is not so. */
export function must(truth, why) {
  if (!truth) throw new Error(why);
}
