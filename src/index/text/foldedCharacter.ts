/** Reads characters of UTF-8 as a folded text has them. */
import { foldCharacter, foldText, joins } from './fold.js'
import { codePointAt, sizeOf } from './utf8.js'

export class FoldedCharacter {
  /** Its folded code points, up to `length`: one in most cases, or none. */
  readonly codes: number[] = []
  length = 0
  /** The byte after it, and after a voicing mark that belongs to it. */
  end = 0

  /** Reads the character at a byte. The part of the text to read ends before byte `to`. */
  read(bytes: Uint8Array, at: number, to: number): void {
    const code = codePointAt(bytes, at)
    this.end = at + sizeOf(bytes[at]!)
    const mark = this.end < to ? codePointAt(bytes, this.end) : 0
    if (joins(code, mark)) {
      this.end += sizeOf(bytes[this.end]!)
      return this.#fold(String.fromCodePoint(code, mark))
    }
    const folded = foldCharacter(code)
    if (folded < 0) return this.#fold(String.fromCodePoint(code))
    this.codes[0] = folded
    this.length = 1
  }

  #fold(text: string): void {
    this.length = 0
    for (const character of foldText(text)) this.codes[this.length++] = character.codePointAt(0)!
  }
}
