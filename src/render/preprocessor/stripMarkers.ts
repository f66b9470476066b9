/**
 * Strip markers for extension tags in expanded texts. Functions must neither see nor change the content of tags. A
 * marker therefore replaces each tag until the expansion ends; like MediaWiki's, it is a very unlikely text.
 */
const START = '\x7f\'"`UNIQ-'
const MARKER = /\x7f'"`UNIQ-([^`\x7f]{0,60})-([0-9A-F]{8})-QINU`"'\x7f/g
const RESERVED = /\x7f/g
/** Replaces the reserved character during a save. Saved texts contain no control characters but tab and line feed. */
const STAND_IN = '\x01'
const STAND_INS = /\x01/g

/** Removes the character that begins markers from an outside text. */
export function withoutReserved(text: string): string {
  return text.includes('\x7f') ? text.replace(RESERVED, '?') : text
}

/** Like `withoutReserved`, but `showReserved` can undo it. */
export function hideReserved(text: string): string {
  return text.includes('\x7f') ? text.replace(RESERVED, STAND_IN) : text
}

/** Restores the characters that `hideReserved` replaced. */
export function showReserved(text: string): string {
  return text.includes(STAND_IN) ? text.replace(STAND_INS, '\x7f') : text
}

export class StripMarkers {
  readonly #sources: string[] = []

  /** A unique marker for the source of an extension tag. */
  add(name: string, source: string): string {
    const number = this.#sources.push(source) - 1
    return `${START}-${name}-${number.toString(16).toUpperCase().padStart(8, '0')}-QINU\`"'\x7f`
  }

  /** Puts the sources back. They contain no markers themselves. */
  restore(text: string): string {
    if (!text.includes(START)) return text
    return text.replace(
      MARKER,
      (marker, _name, number: string) => this.#sources[parseInt(number, 16)] ?? marker,
    )
  }

  /** Puts the sources of one kind of tag back, while the text is not too long; all other markers stay. */
  restoreOnly(name: string, text: string, maxLength: number): string {
    if (!text.includes(START)) return text
    let length = text.length
    return text.replace(MARKER, (marker, kind: string, number: string) => {
      const isWanted = (kind === `-${name}` || kind === name) && length <= maxLength
      const source = isWanted ? (this.#sources[parseInt(number, 16)] ?? marker) : marker
      length += source.length - marker.length
      return source
    })
  }

  /** Length of the text that `restore` would return, computed without building it. */
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

/** Changes each piece of text between extension tags separately. */
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
