/**
 * The plain text of a page: what a reader sees of its wikitext, without expanding templates.
 *
 *     text         sentences, headings, list items: excerpts are cut from it
 *     auxiliary    values in templates, cells of tables, captions, footnotes, categories: found, but shown only when
 *                  the text has none of the words
 *
 * One pass with a stack of what is open, so time is linear in the wikitext, however broken it is.
 */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { languageName } from '../../domain/languageNames.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { ClosingTags, DROPPED_ELEMENTS, KEPT_ELEMENTS, TRANSPARENT_ELEMENTS } from './elements.js'
import { tidyLines } from './lines.js'

export interface PlainText {
  readonly text: string
  readonly auxiliary: string
}

const FILE = 6
const CATEGORY = 14
/** Open templates, tables and links beyond these are taken as text. */
const MAX_DEPTH = 100

const TOKEN =
  /<!--|<\/?[A-Za-z][A-Za-z0-9]*|\{\{\{?|\}\}|\{\||\|\}|\[\[|\]\]|\[(?=(?:https?:|ftp:)?\/\/)|\]|\||'''?(?:'')?|__[A-Z]{3,25}__/g
const TAG_END = /[^<>]*>/y
const LINK_TARGET = /([^[\]{}|\n]{0,500})(\]\]|\|)/y
const URL = /[^\s\]]+/y
/** `name =` at the start of a template's value. */
const VALUE_NAME = /\s*[^=|{}[\]<>\n]{0,60}=/y
const TABLE_ATTRIBUTES = /[^\n]*/y
/** What follows the bar of a row, of a caption, or of a cell that has attributes. */
const ROW_OR_ATTRIBUTES = /-[^\n]*|\+|[^=|\n[\]{}]{0,100}=[^|\n[\]{}]{0,300}\|(?!\|)/y
const FILE_OPTION =
  /^\s*(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|centre|none|upright|(?:upright|alt|link|lang|page|class)\s*=.*|\d*\s*(?:x\s*\d+)?\s*px)\s*$/i

type Kind = 'template' | 'table' | 'file' | 'link' | 'external' | 'ref'

interface Open {
  readonly kind: Kind
  /** Whether what stands in it is read by the way only. */
  readonly aside: boolean
  /** Where the current part begins among the pieces: of a file's link, parts that are options are taken back. */
  from: number
  /** Nothing of it is text, as of a category's sort key. */
  dropped: boolean
}

/** Reads the plain text out of a wikitext. `namespaces` tells files and categories from pages. */
export function plainText(wikitext: string, namespaces: Namespaces): PlainText {
  return new Extractor(wikitext, namespaces).run()
}

class Extractor {
  readonly #source: string
  readonly #namespaces: Namespaces
  readonly #closingTags: ClosingTags
  readonly #token = new RegExp(TOKEN)
  readonly #text: string[] = []
  readonly #auxiliary: string[] = []
  readonly #open: Open[] = []
  #asides = 0
  #at = 0

  constructor(source: string, namespaces: Namespaces) {
    this.#source = source
    this.#namespaces = namespaces
    this.#closingTags = new ClosingTags(source)
  }

  run(): PlainText {
    for (;;) {
      this.#token.lastIndex = this.#at
      const match = this.#token.exec(this.#source)
      this.#write(this.#source.slice(this.#at, match?.index ?? this.#source.length))
      if (match === null) break
      this.#at = this.#token.lastIndex
      this.#take(match[0])
    }
    return { text: tidyLines(this.#text.join('')), auxiliary: tidyLines(this.#auxiliary.join('')) }
  }

  #take(token: string): void {
    if (token.startsWith('<')) return this.#takeTag(token)
    if (token.startsWith("'") || token.startsWith('__')) return
    switch (token) {
      case '{{':
      case '{{{':
        return this.#push('template', true)
      case '}}':
        return this.#close('template', token)
      case '{|':
        this.#skip(TABLE_ATTRIBUTES)
        return this.#push('table', true)
      case '|}':
        // `|}}` ends a template whose last value is empty.
        if (this.#top()?.kind === 'template' && this.#source[this.#at] === '}') {
          this.#at++
          return this.#close('template', token)
        }
        return this.#close('table', token)
      case '[[':
        return this.#takeLink()
      case ']]':
        return this.#closeLink(token)
      case '[':
        this.#skip(URL)
        return this.#push('external', false)
      case ']':
        return this.#close('external', token)
      case '|':
        return this.#takeBar()
    }
  }

  /** A comment, an element whose content is no text, or a tag whose content is. */
  #takeTag(token: string): void {
    if (token === '<!--') {
      this.#at = this.#closingTags.afterComment(this.#at)
      return
    }
    const name = token.replace(/^<\/?/, '').toLowerCase()
    const hasContent = DROPPED_ELEMENTS.has(name) || KEPT_ELEMENTS.has(name)
    if ((!hasContent && !TRANSPARENT_ELEMENTS.has(name)) || !this.#skip(TAG_END)) return this.#write(token)
    if (token.startsWith('</')) {
      if (name === 'ref' || name === 'table') this.#close(name, '')
      return
    }
    if (name === 'br' || name === 'hr') return this.#write('\n')
    if (this.#source[this.#at - 2] === '/') return this.#write(' ')
    if (name === 'ref') return this.#push('ref', true)
    if (hasContent) this.#takeContent(name)
  }

  /** Takes the content of an element as text, or drops it; one that is never closed has none. */
  #takeContent(name: string): void {
    const content = this.#closingTags.contentEnd(name, this.#at)
    if (content === undefined) return
    this.#write(KEPT_ELEMENTS.has(name) ? this.#source.slice(this.#at, content.end) : ' ')
    this.#at = content.after
  }

  /** `[[target]]` shows its target, `[[target|label]]` its label; files, categories and other languages are aside. */
  #takeLink(): void {
    LINK_TARGET.lastIndex = this.#at
    const match = LINK_TARGET.exec(this.#source)
    if (match === null) return
    this.#at = LINK_TARGET.lastIndex
    const target = match[1]!
    const hasLabel = match[2] === '|'
    const kind = this.#linkKind(target)
    if (kind === 'page') {
      if (!hasLabel) return this.#write(target.replace(/^\s*:/, ''))
      return this.#push('link', false)
    }
    if (kind === 'category') this.#writeAside(`${target.slice(target.indexOf(':') + 1)}\n`)
    if (!hasLabel) return
    this.#push('file', true)
    // Neither a category's sort key nor the label of a link to another language is text.
    if (kind !== 'file') this.#top()!.dropped = true
  }

  #linkKind(target: string): 'page' | 'file' | 'category' | 'language' {
    const colon = target.indexOf(':')
    if (colon <= 0) return 'page'
    const prefix = target.slice(0, colon).trim()
    const namespace = this.#namespaces.idByName(prefix)
    if (namespace === FILE) return 'file'
    if (namespace === CATEGORY) return 'category'
    return namespace === undefined && languageName(prefix.toLowerCase()) !== undefined ? 'language' : 'page'
  }

  #takeBar(): void {
    const open = this.#top()
    if (open?.kind === 'template') {
      this.#skip(VALUE_NAME)
      this.#write('\n')
    } else if (open?.kind === 'file') {
      this.#dropOption(open)
      open.from = this.#auxiliary.length
      this.#write(' ')
    } else if (open?.kind === 'table') {
      this.#skip(ROW_OR_ATTRIBUTES)
      this.#write('\n')
    } else if (open === undefined) this.#write('|')
  }

  /** Takes back the last part of a file's link when it says how to show the file. */
  #dropOption({ from, dropped }: Open): void {
    if (dropped || FILE_OPTION.test(this.#auxiliary.slice(from).join(''))) this.#auxiliary.length = from
  }

  #push(kind: Kind, aside: boolean): void {
    if (this.#open.length >= MAX_DEPTH) return
    this.#open.push({ kind, aside, from: this.#auxiliary.length, dropped: false })
    if (!aside) return
    this.#asides++
    if (kind !== 'file') this.#write('\n')
    if (kind === 'ref') this.#text.push(' ')
  }

  /** Closes the innermost open thing if it is of a kind; what never was opened is text. */
  #close(kind: Kind, token: string): void {
    const open = this.#top()
    if (open?.kind === kind) {
      this.#open.pop()
      if (!open.aside) return
      this.#write('\n')
      this.#asides--
      return
    }
    const depth = this.#open.findLastIndex((entry) => entry.kind === kind)
    if (depth < 0) return this.#write(token === ']' ? token : '')
    // What was opened inside and never closed ends here too.
    while (this.#open.length > depth) if (this.#open.pop()!.aside) this.#asides--
  }

  #closeLink(token: string): void {
    const open = this.#top()
    if (open?.kind === 'link') {
      this.#open.pop()
    } else if (open?.kind === 'file') {
      this.#dropOption(open)
      this.#write('\n')
      this.#open.pop()
      this.#asides--
    } else if (open?.kind === 'external') this.#close('external', token)
  }

  #top(): Open | undefined {
    return this.#open.at(-1)
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#source)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #write(piece: string): void {
    if (piece === '') return
    if (this.#asides > 0) this.#writeAside(piece)
    else this.#text.push(decodeCharacterReferences(piece))
  }

  #writeAside(piece: string): void {
    this.#auxiliary.push(decodeCharacterReferences(piece))
  }
}
