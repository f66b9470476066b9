/** The engine of a cluster under test: real servers that can be killed and set back. */
export interface Engine {
  readonly description: string
  /** For `--log`. */
  readonly address: string
  /** Kills a part of it at random, or all of it, with SIGKILL. Returns what it killed. */
  killSome(random: () => number): Promise<string>
  killAll(): Promise<void>
  /** Starts what does not run, and waits until it answers. */
  start(): Promise<void>
  /** Kills it, copies its folders, and starts it again. */
  keepCopy(): Promise<void>
  /** Kills it, puts the copies back, and starts it: an older log. */
  putCopyBack(): Promise<void>
}
