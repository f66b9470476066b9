/**
 * HTML as a tree of elements and texts. It needs no correct nesting. Time is linear in the length: elements deeper than
 * the limit hang on the last one above it, so that every walk over the tree is shallow.
 */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { VOID_ELEMENTS } from '../../domain/html.js'

export class Element {
  readonly name: string
  readonly children: (Element | string)[] = []
  /** Whether a block is inside, at any depth. */
  hasBlock = false
  readonly parent: Element | undefined
  /** As they are written. */
  readonly attributes: string

  constructor(name: string, attributes: string, parent: Element | undefined) {
    this.name = name
    this.attributes = attributes
    this.parent = parent
  }

  /** Empty if it is absent. Character references are decoded. */
  attribute(name: string): string {
    if (!this.attributes.includes(name)) return ''
    for (const [, found, double, single, bare] of this.attributes.matchAll(ATTRIBUTE))
      if (found === name) return decodeCharacterReferences(double ?? single ?? bare ?? '')
    return ''
  }

  /** Whether one of the attribute's words is this one. */
  has(attribute: 'class' | 'typeof' | 'rel', word: string): boolean {
    return this.attributes.includes(word) && this.attribute(attribute).split(/\s+/).includes(word)
  }

  /** Elements among the children. */
  get elements(): Element[] {
    return this.children.filter((child) => typeof child !== 'string')
  }

  /** The first element inside that fits, in the order of the text. */
  find(fits: (element: Element) => boolean): Element | undefined {
    for (const child of this.elements) {
      const found = fits(child) ? child : child.find(fits)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** All text inside. */
  get text(): string {
    const parts: string[] = []
    this.#collect(parts)
    return parts.join('')
  }

  #collect(parts: string[]): void {
    for (const child of this.children) {
      if (typeof child === 'string') parts.push(child)
      else if (child.name === 'br') parts.push('\n')
      else if (!SILENT.has(child.name)) child.#collect(parts)
    }
  }
}

export const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)
const SILENT: ReadonlySet<string> = new Set(['style', 'script', 'annotation', 'template', 'link', 'meta'])
/** What they hold is no HTML. */
const RAW: ReadonlySet<string> = new Set(['script', 'style'])
const MAX_DEPTH = 80
const ATTRIBUTE = /([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g
const NAME = /[a-zA-Z][^\s/>]*/y

/** `html` is the inside of a body. */
export function readTree(html: string): Element {
  return new TreeReader(html).read()
}

class TreeReader {
  readonly #html: string
  readonly #root = new Element('body', '', undefined)
  /** The innermost open element. */
  #open: Element = this.#root
  #depth = 0
  /** Open elements beyond the limit. */
  #beyond = 0
  #at = 0
  /** Signs that do not come again. A search for one looks at the whole rest. */
  readonly #gone = new Set<string>()
  /** Place of the last `>`. */
  readonly #lastEnd: number

  constructor(html: string) {
    this.#html = html
    this.#lastEnd = html.lastIndexOf('>')
  }

  read(): Element {
    while (this.#at < this.#html.length) {
      const tag = this.#find('<', this.#at)
      const end = tag < 0 ? this.#html.length : tag
      if (end > this.#at) this.#text(this.#html.slice(this.#at, end))
      this.#at = end
      if (tag >= 0) this.#tag()
    }
    return this.#root
  }

  #find(sign: string, from: number): number {
    if (this.#gone.has(sign)) return -1
    const found = this.#html.indexOf(sign, from)
    if (found < 0) this.#gone.add(sign)
    return found
  }

  #text(text: string): void {
    this.#open.children.push(decodeCharacterReferences(text))
  }

  #tag(): void {
    const start = this.#at
    if (this.#html.startsWith('<!--', start)) {
      const end = this.#find('-->', start)
      if (end >= 0) return void (this.#at = end + 3)
    }
    const isEnd = this.#html[start + 1] === '/'
    NAME.lastIndex = start + (isEnd ? 2 : 1)
    const name = start < this.#lastEnd ? NAME.exec(this.#html)?.[0] : undefined
    if (name === undefined) {
      this.#at = start + 1
      return this.#text('<')
    }
    const end = this.#endOfTag(NAME.lastIndex)
    const attributes = this.#html.slice(NAME.lastIndex, end)
    this.#at = end + 1
    if (isEnd) this.#close(name.toLowerCase())
    else this.#start(name.toLowerCase(), attributes)
  }

  /** Place of the `>` outside of quotes. Tags that have none there end at the last one: nothing is read twice. */
  #endOfTag(from: number): number {
    let at = from
    while (at <= this.#lastEnd) {
      SIGN.lastIndex = at
      const sign = SIGN.exec(this.#html)!
      if (sign[0] === '>') return sign.index
      const quote = this.#find(sign[0], sign.index + 1)
      if (quote < 0) return this.#html.indexOf('>', at)
      at = quote + 1
    }
    return this.#lastEnd
  }

  #start(name: string, attributes: string): void {
    const element = new Element(name, attributes, this.#open)
    this.#open.children.push(element)
    if (BLOCKS.has(name))
      for (let at: Element | undefined = this.#open; at?.hasBlock === false; at = at.parent)
        at.hasBlock = true
    if (VOID_ELEMENTS.has(name) || attributes.endsWith('/')) return
    if (RAW.has(name)) return this.#skipRaw(name)
    if (this.#depth >= MAX_DEPTH) return void this.#beyond++
    this.#open = element
    this.#depth++
  }

  #skipRaw(name: string): void {
    const end = this.#find(`</${name}`, this.#at)
    this.#at = end < 0 ? this.#html.length : end
  }

  #close(name: string): void {
    if (this.#beyond > 0) return void this.#beyond--
    let levels = 1
    for (let at: Element | undefined = this.#open; at?.parent !== undefined; at = at.parent, levels++) {
      if (at.name !== name) continue
      this.#open = at.parent
      this.#depth -= levels
      return
    }
  }
}

const SIGN = /["'>]/g
