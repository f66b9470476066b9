/** Displays the progress of an import: a bar on a terminal, otherwise an occasional line, or nothing. */
import { MultiBar, type SingleBar } from 'cli-progress'
import { countsOf, formatDuration, type ImportState, percentOf, progressLine } from './progress.js'

export interface Display {
  /** May be called at any rate: it computes the state only when it displays it. */
  show(state: () => ImportState): void
  /** Prints a line, above the bar on a terminal. */
  print(line: string): void
  /** Removes the bar; `print` may follow. */
  stop(): void
}

export interface DisplayOptions {
  readonly quiet: boolean
  /** Clock in milliseconds; the process's own by default. */
  readonly now?: () => number
}

const BAR_INTERVAL_MS = 200
const LINE_INTERVAL_MS = 10_000

/** Prints what also a quiet command says: on standard error then. */
export function printAlways(line: string, display: Display, isQuiet: boolean): void {
  if (isQuiet) process.stderr.write(`${line}\n`)
  else display.print(line)
}

export const SILENT: Display = { show: () => undefined, print: () => undefined, stop: () => undefined }

export function openDisplay(output: NodeJS.WriteStream, options: DisplayOptions): Display {
  const { quiet, now = () => performance.now() } = options
  if (quiet) return SILENT
  return output.isTTY ? new BarDisplay(output, now) : new LineDisplay(output, now)
}

class BarDisplay implements Display {
  readonly #output: NodeJS.WriteStream
  readonly #now: () => number
  readonly #bars: MultiBar
  #bar: SingleBar | undefined
  #shown = -Infinity

  constructor(output: NodeJS.WriteStream, now: () => number) {
    this.#output = output
    this.#now = now
    this.#bars = new MultiBar({
      stream: output,
      hideCursor: true,
      clearOnComplete: true,
      // Without this option, the library truncates printed lines.
      linewrap: true,
      // A printed line overwrites the bar, which must be redrawn even when it is unchanged.
      forceRedraw: true,
      fps: 1000 / BAR_INTERVAL_MS,
      // Leaves one column free: some terminals wrap after a character in the last one.
      format: (_options, { maxWidth }, { state }: { state: ImportState }) =>
        progressLine(state, maxWidth - 1),
    })
  }

  show(state: () => ImportState): void {
    const now = this.#now()
    if (now - this.#shown < BAR_INTERVAL_MS) return
    this.#shown = now
    const payload = { state: state() }
    if (this.#bar === undefined) this.#bar = this.#bars.create(1, 0, payload)
    else this.#bar.update(payload)
    this.#bars.update()
  }

  print(line: string): void {
    if (this.#bar === undefined) {
      this.#output.write(`${line}\n`)
      return
    }
    this.#bars.log(`${line}\n`)
    this.#bars.update()
  }

  stop(): void {
    if (this.#bar === undefined) return
    this.#bar = undefined
    this.#bars.stop()
  }
}

class LineDisplay implements Display {
  readonly #output: NodeJS.WriteStream
  readonly #now: () => number
  #shown: number

  constructor(output: NodeJS.WriteStream, now: () => number) {
    this.#output = output
    this.#now = now
    this.#shown = now()
  }

  show(state: () => ImportState): void {
    const now = this.#now()
    if (now - this.#shown < LINE_INTERVAL_MS) return
    this.#shown = now
    this.print(describe(state()))
  }

  print(line: string): void {
    this.#output.write(`${line}\n`)
  }

  stop(): void {
    // Printed lines stay.
  }
}

function describe(state: ImportState): string {
  const { phase, name, phaseShare, share, leftMs, speed } = state
  const parts = [
    `${phase}${phaseShare === undefined ? '' : ` ${percentOf(phaseShare)}`}`,
    ...(share === undefined ? [] : [`${percentOf(share)} of all`]),
    ...countsOf(state),
    speed,
    leftMs === undefined ? 'time left unknown' : `${formatDuration(leftMs)} left`,
  ]
  return `${name}: ${parts.join(', ')}`
}
