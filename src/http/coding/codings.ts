/** Content codings: which one a client gets, and how tags of encoded answers look. */

/** A coding that the server can make. */
export type Coding = 'br' | 'gzip'

/** The codings that a client accepts. One object for each combination, so that they can be compared. */
export interface Accepted {
  /** Ends the key of ready answers; empty for a client that accepts none. It begins with a space, unlike any URL. */
  readonly id: string
  /** Best first. */
  readonly codings: readonly Coding[]
}

export const ACCEPTS_NONE: Accepted = { id: '', codings: [] }
const COMBINATIONS: readonly Accepted[] = [
  ACCEPTS_NONE,
  ...([['br'], ['gzip'], ['br', 'gzip'], ['gzip', 'br']] as const).map((codings) => ({
    id: ` ${codings.join(' ')}`,
    codings,
  })),
]

/** Clients send few different values; more than this many are read each time. */
const MAX_KNOWN = 200

/** Reads `Accept-Encoding`, and remembers what it read. */
export class AcceptedCodings {
  readonly #known = new Map<string, Accepted>()

  read(header: string): Accepted {
    if (header === '') return ACCEPTS_NONE
    const known = this.#known.get(header)
    if (known !== undefined) return known
    const accepted = parseAccepted(header)
    if (this.#known.size < MAX_KNOWN) this.#known.set(header, accepted)
    return accepted
  }
}

const WEIGHTED = /^([!#$%&'*+.^`|~\w-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/**
 * The codings in `Accept-Encoding` by quality (RFC 9110, 12.5.3). At the same quality brotli comes first. A coding that
 * the client ranks below no coding at all does not count, and neither does an element that is malformed.
 */
export function parseAccepted(header: string): Accepted {
  const qualities = new Map<string, number>()
  for (const element of header.split(',')) {
    const match = WEIGHTED.exec(element.trim())
    if (match !== null) qualities.set(match[1]!.toLowerCase(), Number(match[2] ?? 1))
  }
  const qualityOf = (coding: Coding): number =>
    qualities.get(coding) ??
    (coding === 'gzip' ? qualities.get('x-gzip') : undefined) ??
    qualities.get('*') ??
    0
  const identity = qualities.get('identity') ?? 0
  const codings = (['br', 'gzip'] as const)
    .filter((coding) => qualityOf(coding) > 0 && qualityOf(coding) >= identity)
    .toSorted((a, b) => qualityOf(b) - qualityOf(a))
  return COMBINATIONS.find((combination) => combination.codings.join() === codings.join())!
}

/** Header lines of the encoded answer. An entity tag names the coding, since a tag stands for exact bytes. */
export function encodedHeaders(headers: string, coding: Coding): string {
  const tagged = headers.replace(/(\r\nETag: "[^"]*)"/, `$1.${coding}"`)
  return `${tagged}\r\nContent-Encoding: ${coding}`
}

/**
 * A list of entity tags without the codings in them. Conditions ask for the state of a resource, which is the same in
 * each coding.
 */
export function withoutCodings(tags: string): string {
  return tags.includes('.') ? tags.replace(/\.(?:br|gzip)"/g, '"') : tags
}
