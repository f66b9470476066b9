/** Processor time: unlike time by the clock, it does not depend on what else the machine does. */

/** Less than this is noise: the work of other threads of the process, such as the garbage collector's. */
const NOISE_MS = 5
const ROUNDS = 3

/** Processor time of `run` in milliseconds: user and system time of this process. */
export function processorMs(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * By how much the processor time of `run` grows from a length to four times that length: about 4 for linear work, 16 for
 * quadratic work. Each time is the least of several runs, which a busy machine disturbs little.
 */
export function growth(run: (length: number) => unknown, length: number): number {
  const least = { short: Infinity, long: Infinity }
  for (let round = 0; round < ROUNDS; round++) {
    least.short = Math.min(
      least.short,
      processorMs(() => run(length)),
    )
    least.long = Math.min(
      least.long,
      processorMs(() => run(4 * length)),
    )
  }
  return least.long / Math.max(least.short, NOISE_MS)
}

/** Between the growth of linear and that of quadratic work. */
export const MOST_GROWTH = 9
