/** The blocks of a page in their order: headings, paragraphs, lists, quotes, code, tables. */
import { type Place, isDropped, isNoteList, type Walk } from './form.js'
import { isFormula } from './formulas.js'
import { code, linesOf, longestRun, paragraphOf } from './inline.js'
import { withoutMarks } from './marks.js'
import { cellsOf, kindOf, pipeRows, rowsOf } from './tables.js'
import { BLOCKS, Element } from './tree.js'

export interface Heading {
  readonly level: number
  readonly title: string
  readonly anchor: string
}

export interface Block {
  readonly text: string
  readonly heading?: Heading
  /** Numbers of the notes that its text names. */
  readonly notes: readonly number[]
  /** The list of notes, which is left out. */
  readonly isNoteList?: boolean
}

type Node = Element | string

const NESTS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'blockquote', 'table'])

/** Each level copies the text inside. */
const MAX_LEVELS = 16
const HEADING = /^h([1-6])$/
const NOTE = /\[\^(\d+)\]/g

/** Numbers of the notes that a Markdown names. Brackets of a text are escaped. */
export const notesIn = (text: string): number[] =>
  Array.from(text.matchAll(NOTE), ([, number]) => Number(number))

export function blocksOf(root: Element, walk: Walk): Block[] {
  const blocks: Block[] = []
  new BlockWalk(walk, blocks).flow(root.children, {})
  return blocks
}

/** The texts of notes, each in one line. Call it after `blocksOf`. */
export function notesOf(root: Element, walk: Walk): Map<number, string> {
  const notes = new Map<number, string>()
  const texts = new Map<string, Element>()
  collectNotes(root, texts)
  // A note may name further ones.
  for (const [id, number] of walk.noteNumbers) {
    const item = texts.get(id)
    const text =
      item?.find(
        (inside) => inside.has('class', 'mw-reference-text') || inside.has('class', 'reference-text'),
      ) ?? item
    if (text !== undefined) notes.set(number, linesOf(flattened(text), walk).join(' '))
  }
  return notes
}

function collectNotes(element: Element, texts: Map<string, Element>): void {
  for (const child of element.elements) {
    const id = child.name === 'li' ? child.attribute('id') : ''
    if (id.startsWith('cite_note')) texts.set(id, child)
    collectNotes(child, texts)
  }
}

/** Children with a blank between blocks. */
const flattened = (element: Element): Node[] =>
  element.children.flatMap((child) =>
    typeof child !== 'string' && BLOCKS.has(child.name) ? [' ', child, ' '] : [child],
  )

class BlockWalk {
  readonly #walk: Walk
  readonly #blocks: Block[]

  constructor(walk: Walk, blocks: Block[]) {
    this.#walk = walk
    this.#blocks = blocks
  }

  /** Blocks, and texts between them. */
  flow(nodes: readonly Node[], place: Place): void {
    let run: Node[] = []
    const endRun = (): void => {
      if (run.length > 0) this.#put(paragraphOf(run, this.#walk, place))
      run = []
    }
    for (const node of nodes) {
      const isBlock = typeof node !== 'string' && (BLOCKS.has(node.name) || node.hasBlock) && !isFormula(node)
      if (!isBlock) {
        run.push(node)
        continue
      }
      endRun()
      this.#block(node, place)
    }
    endRun()
  }

  #put(text: string, heading?: Heading): void {
    if (text === '') return
    const isMarkdown = this.#walk.form === 'markdown' && this.#walk.notes === 'footnotes'
    const notes = isMarkdown ? notesIn(text) : []
    this.#blocks.push({ text, notes, ...(heading && { heading }) })
  }

  #block(element: Element, place: Place): void {
    if (isNoteList(element)) return void this.#blocks.push({ text: '', notes: [], isNoteList: true })
    if (isDropped(element)) return
    const { name, children } = element
    if ((place.depth ?? 0) >= MAX_LEVELS && NESTS.has(name)) return this.flow(children, place)
    const level = HEADING.exec(name)?.[1]
    if (level !== undefined) return this.#heading(element, Number(level), place)
    switch (name) {
      case 'p':
        return element.hasBlock
          ? this.flow(children, place)
          : this.#put(paragraphOf(children, this.#walk, place))
      case 'ul':
      case 'ol':
        return element.has('class', 'gallery') ? this.#gallery(element, place) : this.#list(element, place)
      case 'dl':
        return this.#definitions(element, place)
      case 'blockquote':
        return this.#quote(children, place)
      case 'pre':
        return this.#code(element, place)
      case 'hr':
        return this.#put(this.#walk.form === 'text' ? '' : '* * *')
      case 'table':
        return this.#table(element, place)
      case 'figure':
        return this.#figure(element, place)
      default:
        return element.has('class', 'gallerytext')
          ? this.#put(paragraphOf(children, this.#walk, place))
          : this.flow(children, place)
    }
  }

  #heading(element: Element, level: number, place: Place): void {
    const shown = { ...place, isStrong: true }
    const text = linesOf(element.children, this.#walk, shown).join(' ')
    if (text === '') return
    if (place.isInner === true) return this.#put(this.#strong(text))
    const [title = ''] = [linesOf(element.children, { ...this.#walk, form: 'text' }).join(' ')]
    // Signs at the end would close the heading.
    const shownText = `${'#'.repeat(level)} ${text.replace(/(?<=^|\s)#(?=#*$)/, '\\#')}`
    this.#put(this.#walk.form === 'text' ? text : shownText, {
      level,
      title,
      anchor: element.attribute('id'),
    })
  }

  #strong(text: string): string {
    return this.#walk.form === 'text' ? text : `**${text}**`
  }

  /** The blocks of an inner part. */
  #inner(nodes: readonly Node[], place: Place): string[] {
    const blocks: Block[] = []
    new BlockWalk(this.#walk, blocks).flow(nodes, {
      ...place,
      isInner: true,
      depth: (place.depth ?? 0) + 1,
    })
    return blocks.map(({ text }) => text).filter((text) => text !== '')
  }

  #list(element: Element, place: Place): void {
    const first = Number.parseInt(element.attribute('start'), 10)
    let number = Number.isNaN(first) ? 1 : Math.max(0, Math.min(first, 999_999_999))
    const items: string[] = []
    for (const child of element.elements) {
      if (child.name === 'ul' || child.name === 'ol') {
        const isBelow = items.length > 0
        const lists = this.#inner([child], place)
        items.push(...lists.map((text) => (isBelow ? `    ${indented(text, '    ')}` : text)))
        continue
      }
      if (child.name !== 'li' || isDropped(child)) continue
      const blocks = this.#inner(child.children, place)
      if (blocks.length === 0) continue
      const marker = element.name === 'ol' ? `${number++}. ` : '- '
      items.push(marker + indented(joined(blocks), ' '.repeat(marker.length)))
    }
    this.#put(items.join('\n'))
  }

  /** Captions of its pictures. */
  #gallery(element: Element, place: Place): void {
    const captions = element.elements.flatMap((item) => {
      const caption = item.has('class', 'gallerycaption')
        ? item
        : item.find((inside) => inside.has('class', 'gallerytext'))
      return caption === undefined ? [] : linesOf(flattened(caption), this.#walk, place).join(' ')
    })
    this.#put(
      captions
        .filter((caption) => caption !== '')
        .map((caption) => `- ${caption}`)
        .join('\n'),
    )
  }

  /** Indented texts have no terms. The first level of them is usual in wikis, and has no sign here. */
  #definitions(element: Element, place: Place): void {
    const parts = element.elements.flatMap((part) => (part.name === 'div' ? part.elements : [part]))
    const hasTerms = parts.some(({ name }) => name === 'dt')
    if (!hasTerms) {
      const nodes = parts.flatMap((part) => (isDropped(part) ? [] : [part]))
      if (place.isIndented === true) return this.#quote(nodes, place)
      return nodes.forEach((part) => this.flow(part.children, { ...place, isIndented: true }))
    }
    const lines: string[] = []
    for (const part of parts) {
      if (isDropped(part)) continue
      const text = joined(this.#inner(part.children, { ...place, isIndented: true }))
      if (text === '') continue
      if (part.name === 'dt') lines.push((lines.length > 0 ? '\n' : '') + text)
      else lines.push(`: ${indented(text, '  ')}`)
    }
    this.#put(lines.join('\n'))
  }

  #quote(nodes: readonly Node[], place: Place): void {
    const text = this.#inner(nodes, place).join('\n\n')
    if (text === '') return
    this.#put(this.#walk.form === 'text' ? text : text.replace(/^/gm, '> ').replace(/^> $/gm, '>'))
  }

  #code(element: Element, place: Place): void {
    // A lone carriage return is a line end in Markdown, too, and would not be indented.
    const text = withoutMarks(element.text).replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd()
    if (text.trim() === '') return
    if (place.isInLine === true) {
      const lines = text.split('\n').map((line) => code(line, this.#walk, place))
      return this.#put(lines.filter((line) => line !== '').join('\n'))
    }
    if (this.#walk.form === 'text') return this.#put(text)
    const language = /(?:^|\s)mw-highlight-lang-([\w+#-]{1,30})/.exec(
      element.parent?.attribute('class') ?? '',
    )
    const fence = '`'.repeat(Math.max(3, longestRun(text, /`{3,}/g) + 1))
    this.#put(`${fence}${language?.[1] ?? ''}\n${text}\n${fence}`)
  }

  #figure(element: Element, place: Place): void {
    const caption = element.find(({ name }) => name === 'figcaption')
    if (caption === undefined) return
    const emphasized = new Element('i', '', undefined)
    emphasized.children.push(...flattened(caption))
    this.#put(paragraphOf([emphasized], this.#walk, place))
  }

  #table(table: Element, place: Place): void {
    const caption = table.elements.find(({ name }) => name === 'caption')
    const title = caption
      ? linesOf(flattened(caption), this.#walk, { ...place, isStrong: true }).join(' ')
      : ''
    const kind = place.isInTable === true ? 'layout' : kindOf(table)
    if (title !== '') this.#put(this.#strong(title))
    if (kind === 'facts') return this.#facts(table, place)
    if (kind === 'data')
      return this.#put(pipeRows(table, (cell) => this.#cell(cell, place), this.#walk).join('\n'))
    for (const row of rowsOf(table)) for (const cell of cellsOf(row)) this.flow(cell.children, place)
  }

  /** The text of a cell in one line. */
  #cell(cell: Element, place: Place): string {
    const lineBreak = this.#walk.form === 'text' ? '; ' : '<br>'
    const isStrong = place.isStrong === true || cell.name === 'th'
    const inTable = { ...place, isInTable: true, isInLine: true, isStrong }
    if (!cell.hasBlock) return linesOf(cell.children, this.#walk, inTable).join(lineBreak)
    return this.#inner(cell.children, inTable)
      .join('\n')
      .split('\n')
      .map((line) => line.replace(/\\$/, '').trim())
      .filter((line) => line !== '')
      .join(lineBreak)
  }

  /** A label and its values in a line. Rows with one cell are headings or texts. */
  #facts(table: Element, place: Place): void {
    let lines: string[] = []
    const endLines = (): void => {
      this.#put(lines.join('\n'))
      lines = []
    }
    for (const row of rowsOf(table)) {
      const cells = cellsOf(row)
      if (
        cells.length === 1 &&
        cells[0]!.find(({ name }) => name === 'table' || name === 'ul') !== undefined
      ) {
        endLines()
        this.flow(cells[0]!.children, { ...place, isInner: true })
        continue
      }
      const [first = '', ...values] = cells
        .map((cell) => this.#value(cell, place))
        .filter((text) => text !== '')
      if (first === '') continue
      if (values.length > 0) lines.push(`- ${this.#strong(first)}: ${values.join(', ')}`)
      else {
        endLines()
        this.#put(cells.some(({ name }) => name === 'th') ? this.#strong(first) : first)
      }
    }
    endLines()
  }

  #value(cell: Element, place: Place): string {
    const isStrong = place.isStrong === true || cell.name === 'th'
    const inner = { ...place, isInLine: true, isStrong }
    const lines = cell.hasBlock
      ? this.#inner(cell.children, inner).join('\n').split('\n')
      : linesOf(cell.children, this.#walk, inner)
    return lines
      .map((line) =>
        line
          .replace(/^\s*- /, '')
          .replace(/\\$/, '')
          .trim(),
      )
      .filter((line) => line !== '')
      .join(', ')
  }
}

/** A list below a text belongs to it without a blank line. */
function joined(blocks: readonly string[]): string {
  const [first = '', ...others] = blocks
  return others.reduce((text, block) => {
    const isList = /^(?:- |\d{1,9}\. )/.test(block)
    return `${text}${isList ? '\n' : '\n\n'}${block}`
  }, first)
}

/** Lines after the first one are indented. Empty lines stay empty. */
const indented = (text: string, blanks: string): string => text.replace(/\n(?=[^\n])/g, `\n${blanks}`)
