/**
 * Reads interlanguage links from the bytes of a text, and writes the list that clients get, without strings in between.
 * Most links are like `[[de:Haus]]`, with a title that needs no parsing. All others become strings for `linkAt`.
 */
import { plainEnd } from '../domain/plainTitle.js'
import { redirectEnd } from '../domain/redirect.js'
import { type Language, languageLinksJson, linkAt, type LinkRules } from './languageLinks.js'
import {
  LETTERS_AND_COLON,
  LinkTargets,
  NO_PREFIX,
  OTHERS_AND_COLON,
  prefixHash,
  textOf,
} from './linkTargets.js'
import { isSurelyVisible, visibleWikitext } from './visibleText.js'

const SPACE = 0x20
const OPEN = 0x5b
const BACKSLASH = 0x5c
const CLOSE = 0x5d
const UNDERSCORE = 0x5f
/** A text that begins with one of these bytes is no redirect, which begins with a number sign or blanks. */
const FIRST_OF_TEXT = 0x24
const LAST_OF_TEXT = 0x7e

const KEY_FIELD = ',"key":"'
const TITLE_FIELD = Buffer.from('","title":"')
const LINK_END = Buffer.from('"}')
/** The start of a link that became a string. */
const OTHER = -1
const BRACKETS = 2
const FIRST_ROOM_BYTES = 2 ** 16

export class LanguageLinkReader {
  readonly #rules: LinkRules
  readonly #targets = new LinkTargets()
  readonly #languages: readonly Language[]
  /** The beginnings of links as JSON, each after a comma, in the order of languages. */
  readonly #heads: readonly Uint8Array[]
  /** Bytes of a list with a link to each language, without titles. */
  readonly #fixedBytes: number
  /** Languages by the hash of their code; null for several. */
  readonly #byHash = new Map<number, Language | null>()
  /** Where the title of the first link of each language begins and ends; 0 without a link. */
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  /** Links that became strings, as JSON after a comma, by the order of their languages. Empty for an invalid one. */
  readonly #others = new Map<number, Uint8Array>()
  #room = Buffer.allocUnsafeSlow(FIRST_ROOM_BYTES)

  constructor(rules: LinkRules) {
    this.#rules = rules
    this.#languages = [...rules.languages.values()]
    this.#heads = this.#languages.map(({ json }) => Buffer.from(`,${json}${KEY_FIELD}`))
    const fixed = this.#heads.map((head) => head.length + TITLE_FIELD.length + LINK_END.length)
    this.#fixedBytes = fixed.reduce((sum, length) => sum + length, BRACKETS)
    this.#starts = new Int32Array(this.#languages.length)
    this.#ends = new Int32Array(this.#languages.length)
    for (const language of this.#languages) {
      const hash = prefixHash(language.code)
      this.#byHash.set(hash, this.#byHash.has(hash) ? null : language)
    }
  }

  /**
   * The interlanguage links of a wikitext as a JSON array in UTF-8, valid until the next call. Objects with `code`,
   * `name`, `key` and `title`, sorted by code. Only the first link of each language counts. It hides later ones even
   * when its title is invalid, as in `[[de:]]`.
   *
   * Ignored are the link of a redirect, links in comments, `nowiki` and similar tags, and links to the wiki's own
   * language. Templates are not expanded, so pass expanded text to include their links. Titles follow the rules of this
   * wiki, as in MediaWiki: `[[de:image:x]]` has the key `File:X`.
   *
   * `source` is the text as the inside of a JSON string, in UTF-8, as `JSON.stringify` writes it.
   */
  listOf(source: Buffer): Uint8Array {
    return this.#list(isAllVisible(source) ? source : visibleSource(textOf(source)))
  }

  /** The same for a text. */
  listIn(wikitext: string): Uint8Array {
    return this.#list(visibleSource(wikitext))
  }

  #list(source: Buffer): Uint8Array {
    this.#starts.fill(0)
    this.#others.clear()
    this.#read(source)
    return this.#write(source)
  }

  #read(source: Buffer): void {
    const targets = this.#targets
    for (let from = 0; targets.find(source, from);) from = this.#readTarget(source, targets)
  }

  /** Reads a link. Returns where the next may begin. */
  #readTarget(source: Buffer, { start, end, hash, kind }: LinkTargets): number {
    if (kind === NO_PREFIX) return end
    if (kind === LETTERS_AND_COLON) {
      const language = end === start ? undefined : this.#byHash.get(hash)
      if (language === undefined) return end
      if (language !== null && isAt(source, start, end, language.code)) {
        const titleEnd = plainEnd(source, end + 1)
        if (titleEnd !== undefined && source[titleEnd] === CLOSE && source[titleEnd + 1] === CLOSE) {
          this.#add(language, end + 1, titleEnd)
          return titleEnd + 2
        }
      }
    }
    if (kind !== OTHERS_AND_COLON || !this.#isNamespace(source, start, end)) this.#readOther(source, start)
    return end
  }

  #add({ order }: Language, start: number, end: number): void {
    if (this.#starts[order] !== 0) return
    this.#starts[order] = start
    this.#ends[order] = end
  }

  /** Reads a link as a string. It contains no other link, so it ends before the next `[[`. */
  #readOther(source: Buffer, from: number): void {
    const next = source.indexOf('[[', from)
    const text = textOf(source.subarray(from, next < 0 ? source.length : next))
    const link = linkAt(text, this.#rules)
    if (link === undefined || this.#starts[link.language.order] !== 0) return
    this.#starts[link.language.order] = OTHER
    const json = link.key === undefined ? '' : `,${languageLinksJson([link]).slice(1, -1)}`
    this.#others.set(link.language.order, Buffer.from(json))
  }

  /** Whether a prefix is that of a namespace of this wiki. */
  #isNamespace(source: Buffer, start: number, end: number): boolean {
    return this.#rules.namespaces.idByName(source.toString('utf8', start, end)) !== undefined
  }

  #write(source: Buffer): Uint8Array {
    this.#makeRoom(source)
    const room = this.#room
    const starts = this.#starts
    let end = 0
    // An iterator would make an object for each language.
    for (let order = 0; order < starts.length; order++) {
      if (starts[order] === 0) continue
      if (starts[order] !== OTHER) end = this.#writePlain(source, order, end)
      else end = copy(this.#others.get(order)!, room, end)
    }
    // The first link begins with a comma.
    room[0] = OPEN
    room[Math.max(1, end)] = CLOSE
    return new Uint8Array(room.buffer, 0, Math.max(1, end) + 1)
  }

  /** Writes the link of a language with a plain title, which has both spaces and underscores. Returns its end. */
  #writePlain(source: Buffer, order: number, from: number): number {
    const room = this.#room
    const [start, end] = [this.#starts[order]!, this.#ends[order]!]
    const head = this.#heads[order]!
    room.set(head, from)
    let key = from + head.length
    let title = key + end - start + TITLE_FIELD.length
    copy(TITLE_FIELD, room, key + end - start)
    for (let at = start; at < end; at++) {
      const byte = source[at]!
      room[key++] = byte === SPACE ? UNDERSCORE : byte
      room[title++] = byte === UNDERSCORE ? SPACE : byte
    }
    return copy(LINK_END, room, title)
  }

  /** Makes room for all links of a text. Each title stands in its link twice. */
  #makeRoom(source: Buffer): void {
    let needed = this.#fixedBytes + 2 * source.length
    for (const { length } of this.#others.values()) needed += length
    if (needed > this.#room.length) this.#room = Buffer.allocUnsafeSlow(2 * needed)
  }
}

/** Copies a few bytes, for which a native call takes longer. Returns their end. */
function copy(bytes: Uint8Array, room: Uint8Array, from: number): number {
  for (let at = 0; at < bytes.length; at++) room[from + at] = bytes[at]!
  return from + bytes.length
}

function isAt(source: Buffer, from: number, end: number, code: string): boolean {
  if (code.length !== end - from) return false
  for (let at = 0; at < code.length; at++) if (source[from + at] !== code.charCodeAt(at)) return false
  return true
}

/** Whether a text is surely no redirect, and all of it visible. */
function isAllVisible(source: Buffer): boolean {
  const first = source[0]!
  const isNoRedirect = first >= FIRST_OF_TEXT && first <= LAST_OF_TEXT && first !== BACKSLASH
  return isNoRedirect && isSurelyVisible(source)
}

function visibleSource(wikitext: string): Buffer {
  const visible = wikitext.includes(']]') ? visibleWikitext(wikitext.slice(redirectEnd(wikitext))) : ''
  return Buffer.from(JSON.stringify(visible)).subarray(1, -1)
}
