/** Ends the program when whoever reads what it writes, such as `head`, has seen enough. For programs only: it exits. */
export function endWhenNobodyReads(
  streams: readonly NodeJS.EventEmitter[] = [process.stdout, process.stderr],
  exit: () => void = () => process.exit(),
): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return exit();
      throw error;
    });
}
