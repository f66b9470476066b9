/** Formats counts, durations, and the progress of an import, a rendering or an export, for command output. */

/** Formats `12345` as `12,345`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** Formats such as `3 s`, `4 min 10 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Shows a counter on a terminal, in place; prints nothing elsewhere. */
export function showCount(what: string, output: NodeJS.WriteStream): (done: number, total: number) => void {
  if (!output.isTTY) return () => undefined
  return (done, total) => {
    const end = done >= total ? '\r\x1b[K' : ''
    output.write(`\r${formatCount(done)} of ${formatCount(total)} ${what}${end}`)
  }
}

export interface ImportState {
  readonly phase: 'reading' | 'indexing' | 'rendering' | 'writing'
  /** Name of the current dump. */
  readonly name: string
  /** Finished shares of the phase and of the whole import, 0 to 1; undefined when unknown. */
  readonly phaseShare: number | undefined
  readonly share: number | undefined
  readonly leftMs: number | undefined
  /** Such as `31.2 MB/s`. */
  readonly speed: string
  readonly pages: number
  /** Undefined while indexing. */
  readonly revisions: number | undefined
  /** Pages that are indexed already, while others are read. */
  readonly indexed?: number
  /** Rows of SQL tables; undefined while a dump is read. */
  readonly rows?: number | undefined
}

const FULL = '█'
const EMPTY = '░'
const MIN_BAR = 5
const GOOD_BAR = 12
const MAX_BAR = 40

/**
 * A line of at most `columns` columns: percent of the whole, bar, speed and time left. If there is room, the phase with
 * its own percent, pages, revisions and the dump's name follow.
 */
export function progressLine(state: ImportState, columns: number): string {
  const { share } = state
  const parts = [
    ...(share === undefined ? [] : [percentOf(share).padStart(5)]),
    state.speed,
    ...(state.leftMs === undefined ? [] : [`${formatDuration(state.leftMs)} left`]),
  ]
  const bar = share === undefined ? 0 : 1
  const room = (): number => columns - widthOf(parts.join(' ')) - bar
  for (const [n, part] of furtherParts(state).entries()) {
    if (widthOf(part) + 2 <= room() - (n === 0 ? MIN_BAR : GOOD_BAR) * bar) parts.push(` ${part}`)
  }
  if (share !== undefined && room() >= MIN_BAR) {
    const width = Math.min(MAX_BAR, room())
    const full = Math.floor(width * share)
    parts.splice(1, 0, FULL.repeat(full) + EMPTY.repeat(width - full))
  }
  return cut(parts.join(' '), columns)
}

/** The counts in words: `12 pages (10 indexed)` and `30 revisions`, or `40 rows`. */
export function countsOf({ pages, revisions, indexed = 0, rows }: ImportState): string[] {
  if (rows !== undefined) return [`${formatCount(rows)} rows`]
  const ofPages = `${formatCount(pages)} pages${indexed > 0 ? ` (${formatCount(indexed)} indexed)` : ''}`
  return revisions === undefined ? [ofPages] : [ofPages, `${formatCount(revisions)} revisions`]
}

/** Places of the phases of an import. */
const NUMBERS = { reading: '1/2 ', indexing: '2/2 ', rendering: '', writing: '' } as const

function furtherParts(state: ImportState): string[] {
  const { phase, phaseShare, name } = state
  const number = NUMBERS[phase]
  const ofPhase = phaseShare === undefined ? '' : ` ${percentOf(phaseShare)}`
  return [`${number}${phase}${ofPhase}`, ...countsOf(state), ...(phase === 'reading' ? [name] : [])]
}

/** Rounds down, so that 100 % means finished. */
export const percentOf = (share: number): string => `${Math.floor(100 * share)} %`

/** Width of a text in columns. Characters outside Latin scripts count as two. */
function widthOf(text: string): number {
  let width = 0
  for (const sign of text) width += columnsOf(sign)
  return width
}

const columnsOf = (sign: string): number => (sign < '\u0300' || sign === FULL || sign === EMPTY ? 1 : 2)

function cut(text: string, columns: number): string {
  let width = 0
  let end = 0
  for (const sign of text) {
    width += columnsOf(sign)
    if (width > columns) return text.slice(0, end)
    end += sign.length
  }
  return text
}
