/**
 * The plain text of a page: the visible text of its wikitext, without expansion of templates.
 *
 *     text         sentences, headings, list items; the source of excerpts
 *     auxiliary    values in templates, cells of tables, captions, footnotes, categories; also searched, but
 *                  excerpts use it only when the text has none of the words
 *
 * One pass with a stack of open constructs, so time is linear in the wikitext, however malformed.
 */
import { CATEGORY, FILE } from '../../domain/namespaceIds.js'
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { EXTENSION_TAGS, EXTENSION_TAG_FACTS } from '../../domain/extensionTags.js'
import { isLanguageCode } from '../../domain/languageNames.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { resolveMarkup } from '../../domain/variantMarkup.js'
import { WikitextElements } from '../../domain/wikitextElements.js'

// Cleans the lines of a plain text of markup at their ends.

const LIST_MARKS = /^[*#:;\s]+/
const TABLE_MARKS = /^[|!][-+]?/
const HEADING = /^(={1,6})([^\n]*?)\1\s*$/
const RULE = /^-{4,}/
/** Signs at the start of a line that may be markup. Most lines have none. */
const MARK = /^[=|!*#:;-]/
/** Blanks that are not a single space. */
const BLANKS = /[^\S\n]{2,}|[^\S\n ]/g

/** The lines that contain text, with single spaces. */
function tidyLines(text: string): string {
  const lines: string[] = []
  for (const line of text.replace(BLANKS, ' ').split('\n')) {
    const tidy = tidyLine(line)
    if (tidy !== '' && tidy !== '.' && tidy !== ',') lines.push(tidy)
  }
  return lines.join('\n')
}

function tidyLine(line: string): string {
  let rest = line.trim()
  if (!MARK.test(rest)) return rest
  if (rest.startsWith('=')) rest = HEADING.exec(rest)?.[2] ?? rest
  else if (rest.startsWith('-')) rest = rest.replace(RULE, '')
  else if (rest.startsWith('|') || rest.startsWith('!')) rest = rest.replace(TABLE_MARKS, '')
  return rest.replace(LIST_MARKS, '').trim()
}

// How plain text treats the content of each element of wikitext.

/** `markup`: only the tags are markup; their content is read as usual. The others are as in extensionTags.ts. */
type ElementContent = 'markup' | 'aside' | 'source' | 'nothing'

const MARKUP =
  `abbr b bdi bdo big blockquote br caption center cite data dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 hr i
   includeonly ins kbd li mark noinclude ol onlyinclude p q rb rp rt rtc ruby s samp small span strike strong sub sup
   table td th time tr translate tt tvar u ul var wbr`.split(/\s+/)

/** By element name. Other names are not tags, as in `a <b and c> d`. */
const ELEMENTS: ReadonlyMap<string, ElementContent> = new Map<string, ElementContent>([
  ...MARKUP.map((name) => [name, 'markup'] as const),
  ['code', 'source'],
  ['script', 'nothing'],
  ['style', 'nothing'],
  ...[...EXTENSION_TAG_FACTS].map(
    ([name, { search }]) => [name, search === 'wikitext' ? 'markup' : search] as const,
  ),
])

export interface PlainText {
  readonly text: string
  readonly auxiliary: string
}

/** Deeper nested templates, tables and links count as text. */
const MAX_DEPTH = 100

const TOKEN =
  /<!--|<\/?[A-Za-z][A-Za-z0-9]*|\{\{\{?|\}\}|\{\||\|\}|\[\[|\]\]|\[(?=(?:https?:|ftp:)?\/\/)|\]|\||'''?(?:'')?|__[A-Z]{3,25}__/g
const TAG_END = /[^<>]*>/y
const LINK_TARGET = /([^[\]{}|\n]{0,500})(\]\]|\|)/y
const URL = /[^\s\]]+/y
/** `name =` at the start of a template's argument. */
const VALUE_NAME = /\s*[^=|{}[\]<>\n]{0,60}=/y
const TABLE_ATTRIBUTES = /[^\n]*/y
/** The rest of the markup after the bar of a row, a caption, or a cell with attributes. */
const ROW_OR_ATTRIBUTES = /-[^\n]*|\+|[^=|\n[\]{}]{0,100}=[^|\n[\]{}]{0,300}\|(?!\|)/y
/** The caption above a gallery, in its tag. */
const GALLERY_CAPTION = /\scaption\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/i
const FILE_OPTION =
  /^\s*(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|centre|none|upright|(?:upright|alt|link|lang|page|class)\s*=.*|\d*\s*(?:x\s*\d+)?\s*px)\s*$/i

type Kind = 'template' | 'table' | 'file' | 'link' | 'external' | 'ref'

interface Open {
  readonly kind: Kind
  /** Whether its content is auxiliary. */
  readonly aside: boolean
  /** Start of the current part in `#auxiliary`. Options of a file's link are removed again. */
  from: number
  /** Whether to drop all of its content, such as a category's sort key. */
  dropped: boolean
  /** Position of the end tag of a footnote. */
  readonly contentEnd: number
}

/** Extracts the plain text of a wikitext. `namespaces` distinguishes files and categories from pages. */
export function plainText(wikitext: string, namespaces: Namespaces): PlainText {
  const switches = wikitext.includes('__') ? namespaces.language.localSwitches : undefined
  const source = switches?.without(wikitext) ?? wikitext
  const { code, variants } = namespaces.language
  if (variants.length < 2 || !source.includes('-{')) return new Extractor(source, namespaces).run()
  const { text: resolved, others } = resolveMarkup(source, code)
  const { text, auxiliary } = new Extractor(resolved, namespaces).run()
  const hidden = new Extractor(others.join('\n'), namespaces).run()
  return { text, auxiliary: [auxiliary, hidden.text].filter((part) => part !== '').join('\n') }
}

class Extractor {
  readonly #source: string
  readonly #namespaces: Namespaces
  readonly #elements: WikitextElements
  readonly #token = new RegExp(TOKEN)
  readonly #text: string[] = []
  readonly #auxiliary: string[] = []
  readonly #open: Open[] = []
  /** Ends of the extension tags that are being read, the innermost last. */
  readonly #limits: number[] = []
  #asides = 0
  #at = 0

  constructor(source: string, namespaces: Namespaces) {
    this.#source = source
    this.#namespaces = namespaces
    this.#elements = new WikitextElements(source)
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
        // `|}}` ends a template whose last argument is empty.
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

  /** Handles a comment, an element that is skipped, or a tag whose content is read. */
  #takeTag(token: string): void {
    const start = this.#at - token.length
    if (token === '<!--') {
      this.#at = Math.min(this.#elements.commentEnd(start), this.#limit(start))
      return
    }
    const name = token.replace(/^<\/?/, '').toLowerCase()
    const content = ELEMENTS.get(name)
    const taken = content !== undefined && !token.startsWith('</') && this.#takeElement(start, name, content)
    if (!taken) this.#takeMarkup(token, name, content !== undefined)
  }

  /** Handles a single tag. A tag with an unknown name is text. */
  #takeMarkup(token: string, name: string, isElement: boolean): void {
    const start = this.#at - token.length
    if (!isElement || !this.#skip(TAG_END)) return this.#write(token)
    if (token.startsWith('</')) {
      if (name === 'table' || (name === 'ref' && start === this.#footnoteEnd())) this.#close(name, '')
      return
    }
    if (name === 'br' || name === 'hr') return this.#write('\n')
    if (this.#source[this.#at - 2] === '/') this.#write(' ')
  }

  /** Handles an element whose content is not part of the text; false when only its tags are markup. */
  #takeElement(start: number, name: string, content: ElementContent): boolean {
    const isExtension = EXTENSION_TAGS.has(name)
    if (content === 'markup' && !isExtension) return false
    const limit = this.#limit(start)
    const bounds = this.#elements.nameAt(start) === name ? this.#elements.elementAt(start, name) : undefined
    if (bounds === undefined || bounds.end > limit) return false
    const { contentStart, contentEnd, end } = bounds
    const isRead = contentEnd > contentStart && (content === 'markup' || content === 'aside')
    if (isRead && isExtension) this.#limits.push(contentEnd)
    if (content === 'markup') return false
    if (isRead) {
      this.#at = contentStart
      this.#push('ref', true, contentEnd)
      return true
    }
    if (name === 'gallery')
      this.#takeGallery(this.#source.slice(start, contentStart), contentStart, contentEnd)
    this.#write(content === 'source' ? this.#source.slice(contentStart, contentEnd) : ' ')
    this.#at = end
    return true
  }

  /** Captions of a gallery: each of its lines is the inside of a link to a file. */
  #takeGallery(tag: string, contentStart: number, contentEnd: number): void {
    const { double, single } = GALLERY_CAPTION.exec(tag)?.groups ?? {}
    this.#auxiliary.push('\n', this.#captionOf(double ?? single ?? ''), '\n')
    for (const line of this.#source.slice(contentStart, contentEnd).split('\n')) {
      const bar = line.indexOf('|')
      if (bar >= 0) this.#auxiliary.push(this.#captionOf(line.slice(bar + 1)), '\n')
    }
  }

  /** The text of a caption without display options. */
  #captionOf(caption: string): string {
    return caption === '' ? '' : plainText(`[[File:x|${caption}]]`, this.#namespaces).auxiliary
  }

  /** End of the innermost extension tag around a position. Everything that begins inside ends there too. */
  #limit(place: number): number {
    while ((this.#limits.at(-1) ?? Infinity) <= place) this.#limits.pop()
    return this.#limits.at(-1) ?? Infinity
  }

  /** Position of the end tag of the innermost footnote. */
  #footnoteEnd(): number {
    return this.#open.findLast(({ kind }) => kind === 'ref')?.contentEnd ?? Infinity
  }

  /**
   * `[[target]]` shows its target, `[[target|label]]` its label. Files, categories and other languages are auxiliary.
   */
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
    // A category's sort key and the label of a language link are not text.
    if (kind !== 'file') this.#top()!.dropped = true
  }

  #linkKind(target: string): 'page' | 'file' | 'category' | 'language' {
    const colon = target.indexOf(':')
    if (colon <= 0) return 'page'
    const prefix = target.slice(0, colon).trim()
    const namespace = this.#namespaces.idByName(prefix)
    if (namespace === FILE) return 'file'
    if (namespace === CATEGORY) return 'category'
    return namespace === undefined && isLanguageCode(prefix.toLowerCase()) ? 'language' : 'page'
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

  /** Removes the last part of a file's link when it is a display option. */
  #dropOption({ from, dropped }: Open): void {
    if (dropped || this.#isFileOption(this.#auxiliary.slice(from).join(''))) this.#auxiliary.length = from
  }

  #isFileOption(text: string): boolean {
    return FILE_OPTION.test(text) || this.#namespaces.language.localOptions?.test(text) === true
  }

  #push(kind: Kind, aside: boolean, contentEnd = Infinity): void {
    if (this.#open.length >= MAX_DEPTH) return
    this.#open.push({ kind, aside, from: this.#auxiliary.length, dropped: false, contentEnd })
    if (!aside) return
    this.#asides++
    if (kind !== 'file') this.#write('\n')
    if (kind === 'ref') this.#text.push(' ')
  }

  /** Closes the innermost construct of a kind. Without one, `]` is text, and other tokens are dropped. */
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
    // Unclosed constructs inside it end here too.
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

// The short description that a page declares.

/** `{{Short description|text|noreplace}}` or `{{SHORTDESC:text}}`. The text contains no templates and no links. */
const DESCRIPTION =
  /\{\{[ \t]{0,10}(?:short[ _]description[ \t]{0,10}\|(?:[ \t]{0,10}1[ \t]{0,10}=)?|SHORTDESC:)([^{}|[\]\n<>]{1,400})(?:\||\}\})/i
/** By convention it is near the top, so only this much is searched. */
const SEARCHED_LENGTH = 20_000

/** The description; undefined when the page has none, or declares `none`. */
export function shortDescription(wikitext: string): string | undefined {
  const found = DESCRIPTION.exec(wikitext.slice(0, SEARCHED_LENGTH))?.[1]
  if (found === undefined) return undefined
  const text = decodeCharacterReferences(found).replace(/\s+/g, ' ').trim()
  return text === '' || text.toLowerCase() === 'none' ? undefined : text
}
