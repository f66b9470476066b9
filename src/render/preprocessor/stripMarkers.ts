/**
 * Extension tags within expanded texts. Functions must neither see nor change what is in them, so each stands in the
 * text as a marker, as unlikely a text as MediaWiki's, until everything is expanded.
 */
const START = '\x7f\'"`UNIQ-'
const MARKER = /\x7f'"`UNIQ-([^`\x7f]{0,60})-([0-9A-F]{8})-QINU`"'\x7f/g
const RESERVED = /\x7f/g
/** What stands for it in a text that is saved: such texts hold no other control characters than tab and line feed. */
const STAND_IN = '\x01'
const STAND_INS = /\x01/g

/** Takes the character that begins markers out of a text from outside. */
export function withoutReserved(text: string): string {
  return text.includes('\x7f') ? text.replace(RESERVED, '?') : text
}

/** As `withoutReserved`, for a text that is to come out as it was: see `showReserved`. */
export function hideReserved(text: string): string {
  return text.includes('\x7f') ? text.replace(RESERVED, STAND_IN) : text
}

/** What was hidden, as it was. */
export function showReserved(text: string): string {
  return text.includes(STAND_IN) ? text.replace(STAND_INS, '\x7f') : text
}

export class StripMarkers {
  readonly #sources: string[] = []

  /** A text that stands for the source of an extension tag, different from all others. */
  add(name: string, source: string): string {
    const number = this.#sources.push(source) - 1
    return `${START}-${name}-${number.toString(16).toUpperCase().padStart(8, '0')}-QINU\`"'\x7f`
  }

  /** Puts the sources back. Those hold no markers themselves. */
  restore(text: string): string {
    if (!text.includes(START)) return text
    return text.replace(
      MARKER,
      (marker, _name, number: string) => this.#sources[parseInt(number, 16)] ?? marker,
    )
  }

  /** Puts the sources of one kind of tags back; all other markers stay. */
  restoreOnly(name: string, text: string): string {
    if (!text.includes(START)) return text
    return text.replace(MARKER, (marker, kind: string, number: string) =>
      kind === `-${name}` || kind === name ? (this.#sources[parseInt(number, 16)] ?? marker) : marker,
    )
  }

  /** The length that `restore` would give, without making it. */
  restoredLength(text: string): number {
    if (!text.includes(START)) return text.length
    let length = text.length
    for (const [marker, , number] of text.matchAll(MARKER)) {
      length += (this.#sources[parseInt(number ?? '', 16)] ?? marker).length - marker.length
    }
    return length
  }
}

/** The text without extension tags. */
export function withoutMarkers(text: string): string {
  return text.includes(START) ? text.replace(MARKER, '') : text
}

/** Changes what stands around extension tags, each piece alone. */
export function aroundMarkers(text: string, change: (piece: string) => string): string {
  if (!text.includes(START)) return change(text)
  let result = ''
  let from = 0
  for (const match of text.matchAll(MARKER)) {
    result += change(text.slice(from, match.index)) + match[0]
    from = match.index + match[0].length
  }
  return result + change(text.slice(from))
}
