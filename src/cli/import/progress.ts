/** Shows how far an import is: a bar on a terminal, a line now and then elsewhere. */
import { Presets, SingleBar } from 'cli-progress'
import type { ImportCounts } from './importer.js'

/** What an import reports while it runs. */
export interface ImportState {
  readonly counts: ImportCounts
  /** Decompressed bytes read so far. */
  readonly xmlBytes: number
  /** Bytes of the file read so far, and its size if it has one. */
  readonly bytesRead: number
  readonly sizeBytes: number | undefined
}

export interface Progress {
  update(state: ImportState): void
  /** Prints a message without spoiling the bar. */
  note(message: string): void
  stop(): void
}

const BAR_INTERVAL_MS = 200
const LINE_INTERVAL_MS = 10_000

/** A bar where `output` is a terminal, plain lines otherwise. */
export function showProgress(name: string, output: NodeJS.WriteStream): Progress {
  return output.isTTY ? new BarProgress(name, output) : new LineProgress(name, output)
}

class BarProgress implements Progress {
  readonly #bar: SingleBar
  readonly #output: NodeJS.WriteStream
  readonly #start = performance.now()
  #shown = 0
  #started = false

  constructor(name: string, output: NodeJS.WriteStream) {
    this.#output = output
    const format = `${name} {bar} {percent} | {pages} pages | {revisions} revisions | {speed} MB/s | {left}`
    this.#bar = new SingleBar(
      { format, stream: output, hideCursor: true, clearOnComplete: true },
      Presets.shades_classic,
    )
  }

  update(state: ImportState): void {
    const now = performance.now()
    if (this.#started && now - this.#shown < BAR_INTERVAL_MS) return
    this.#shown = now
    const total = state.sizeBytes ?? 0
    const payload = describe(state, now - this.#start)
    if (!this.#started) this.#bar.start(Math.max(1, total), 0, payload)
    this.#started = true
    this.#bar.update(Math.min(state.bytesRead, total), payload)
  }

  note(message: string): void {
    if (this.#started) this.#output.write('\r\x1b[K')
    this.#output.write(`${message}\n`)
  }

  stop(): void {
    if (this.#started) this.#bar.stop()
  }
}

class LineProgress implements Progress {
  readonly #name: string
  readonly #output: NodeJS.WriteStream
  readonly #start = performance.now()
  #shown = performance.now()

  constructor(name: string, output: NodeJS.WriteStream) {
    this.#name = name
    this.#output = output
  }

  update(state: ImportState): void {
    const now = performance.now()
    if (now - this.#shown < LINE_INTERVAL_MS) return
    this.#shown = now
    const { percent, pages, revisions, speed, left } = describe(state, now - this.#start)
    this.note(`${this.#name}: ${percent}, ${pages} pages, ${revisions} revisions, ${speed} MB/s, ${left}`)
  }

  note(message: string): void {
    this.#output.write(`${message}\n`)
  }

  stop(): void {
    // Nothing is left on the screen by plain lines.
  }
}

function describe(
  state: ImportState,
  elapsedMs: number,
): { percent: string; pages: string; revisions: string; speed: string; left: string } {
  const { counts, xmlBytes, bytesRead, sizeBytes } = state
  const share = sizeBytes ? Math.min(1, bytesRead / sizeBytes) : undefined
  const leftMs = share ? elapsedMs / share - elapsedMs : undefined
  return {
    percent: share === undefined ? 'size unknown' : `${Math.floor(100 * share)} %`,
    pages: formatCount(counts.pages),
    revisions: formatCount(counts.revisions),
    speed: (xmlBytes / 1e6 / Math.max(0.001, elapsedMs / 1000)).toFixed(1),
    left: leftMs === undefined ? 'time left unknown' : `${formatDuration(leftMs)} left`,
  }
}

/** `12345` as `12,345`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `3 s`, `4 min 10 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Shows a count on a terminal, over itself; elsewhere nothing. */
export function showCount(what: string, output: NodeJS.WriteStream): (done: number, total: number) => void {
  if (!output.isTTY) return () => undefined
  return (done, total) => {
    const end = done >= total ? '\r\x1b[K' : ''
    output.write(`\r${formatCount(done)} of ${formatCount(total)} ${what}${end}`)
  }
}
