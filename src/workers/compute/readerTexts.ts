/** Texts and comparisons as HTML for readers. Long ones take too much time for the event loop. */
import { type Opaque, type Section, sections } from '../../diff/sections.js'
import { compareLines, type CompareOptions } from '../../diff/compare.js'
import { type ComparedLine, comparedLines } from '../../reader/views/comparedLines.js'
import { comparedRows, type RowForm } from '../../reader/views/comparedRows.js'
import { EXTENSION_TAGS } from '../../domain/extensionTags.js'
import { hasVariants } from '../../domain/variants.js'
import { WikitextElements } from '../../domain/wikitextElements.js'
import { html } from '../../reader/html.js'
import { jsonTable } from '../../reader/jsonTable.js'
import { text as message } from '../../reader/messages.js'
import { extensionTagsOf } from '../../render/parsoid/siteinfo.js'
import { parseTree } from '../../render/preprocessor/parser.js'
import { TooDeep, treeXml } from '../../render/preprocessor/treeXml.js'
import type { Store } from '../../storage/store.js'

/** The text of a revision, or a text that is not stored. */
export type TextOf = { readonly revisionId: number } | { readonly text: string }

/** How a text is wanted: as it is, or escaped for HTML. */
export type TextForm = 'plain' | 'escaped'

/** The text as UTF-8. Undefined if it is hidden or gone. */
export function textBytes(store: Store, of: TextOf, form: TextForm): Uint8Array | undefined {
  const text = textOf(store, of)
  if (text === undefined) return undefined
  return new TextEncoder().encode(form === 'plain' ? text : html`${text}`.text)
}

/** The table of a JSON text. */
export const jsonTableOf = (store: Store, of: TextOf): string => jsonTable(textOf(store, of) ?? '')

/** See `treeXml` in tasks.ts. */
export function wikitextTree(store: Store, of: TextOf): Uint8Array | 'too-deep' {
  const site = store.site()
  const options = { inclusion: false, keepHidden: true, variants: hasVariants(site.language) }
  const tree = parseTree(textOf(store, of) ?? '', { ...options, extensionTags: extensionTagsOf(site) })
  try {
    return new TextEncoder().encode(treeXml(tree))
  } catch (error) {
    if (error instanceof TooDeep) return 'too-deep'
    throw error
  }
}

/** The wikitext of a section: see `sectionText` in tasks.ts. */
export function sectionText(
  store: Store,
  of: TextOf,
  section: number,
): Uint8Array | 'no-section' | undefined {
  const text = textOf(store, of)
  if (text === undefined) return undefined
  const bytes = Buffer.from(text)
  const range = rangeOf(bytes, pageSections(text), section)
  if (range === undefined) return 'no-section'
  return new TextEncoder().encode(
    bytes
      .subarray(...range)
      .toString()
      .trimEnd(),
  )
}

/** See `withSection` in tasks.ts. A blank line follows the new text; an empty one leaves no trace. */
export function withSection(
  store: Store,
  of: TextOf,
  { section, text: added }: { readonly section: number; readonly text: string },
): Uint8Array | 'no-section' | undefined {
  const text = textOf(store, of)
  if (text === undefined) return undefined
  const bytes = Buffer.from(text)
  const range = rangeOf(bytes, pageSections(text), section)
  if (range === undefined) return 'no-section'
  const own = added.trimEnd()
  const middle = Buffer.from(own === '' ? '' : `${own}\n\n`)
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, range[0]), middle, bytes.subarray(range[1])]))
}

/** Where headings of a wikitext begin, in bytes. */
export const headingOffsets = (store: Store, of: TextOf): number[] =>
  pageSections(textOf(store, of) ?? '').map(({ offset }) => offset)

/** The sections that a page shows and that can be edited: numbers must mean the same in its HTML. */
export const pageSections = (text: string): Section[] => sections(text, new HiddenElements(text))

/** Comments, extension tags, and what only other pages show. */
class HiddenElements implements Opaque {
  readonly #text: string
  readonly #elements: WikitextElements
  /** Place of the next `<`, or of the one before. Infinity: there is none any more. */
  #start = -1
  /** After its element. */
  #end = 0

  constructor(text: string) {
    this.#text = text
    this.#elements = new WikitextElements(text)
  }

  holds(at: number): boolean {
    while (this.#end <= at) {
      if (this.#start < this.#end) {
        const found = this.#text.indexOf('<', this.#end)
        this.#start = found < 0 ? Infinity : found
      }
      if (this.#start > at) return false
      this.#end = this.#endOf(this.#start) ?? this.#start + 1
    }
    return true
  }

  /** Undefined if the sign at `start` begins no such element. */
  #endOf(start: number): number | undefined {
    if (this.#elements.isComment(start)) return this.#elements.commentEnd(start)
    const name = this.#elements.nameAt(start)
    if (name === 'includeonly') return this.#elements.inclusionEnd(start, name)
    return name !== undefined && EXTENSION_TAGS.has(name)
      ? this.#elements.elementAt(start, name)?.end
      : undefined
  }
}

/** Up to the next heading of the same or a higher rank, in bytes. */
function rangeOf(
  text: Buffer,
  headings: readonly Section[],
  section: number,
): [start: number, end: number] | undefined {
  if (section === 0) return [0, headings[0]?.offset ?? text.length]
  const heading = headings[section - 1]
  if (heading === undefined) return undefined
  const next = headings.slice(section).find(({ level }) => level <= heading.level)
  return [heading.offset, next?.offset ?? text.length]
}

/** Two texts to compare. */
export interface TableInput {
  readonly from: TextOf
  readonly to: TextOf
  /** The page that shows the comparison. */
  readonly path: string
  /** Only rows, as MediaWiki writes them; none for equal texts. */
  readonly rows?: RowForm
}

/** The comparison of two texts as a table, as UTF-8. Undefined if a text is hidden or gone. */
export function comparisonTable(
  store: Store,
  { from, to, path, rows }: TableInput,
  options: CompareOptions,
): Uint8Array | undefined {
  const [older, newer] = [textOf(store, from), textOf(store, to)]
  if (older === undefined || newer === undefined) return undefined
  const entries = compareLines(older, newer, options)
  if (rows !== undefined)
    return new TextEncoder().encode(comparedRows(withOlderLines(older, entries), rows).text)
  const table =
    entries.length === 0
      ? html`<p class="diff-equal">${message('no-difference')}</p>`
      : comparedLines(withOlderLines(older, entries), path)
  return new TextEncoder().encode(table.text)
}

/** Forms send line breaks of two characters. Stored texts have one. */
const textOf = (store: Store, of: TextOf): string | undefined =>
  'text' in of ? of.text.replace(/\r\n?/g, '\n') : store.getText(of.revisionId)

const LINE_BREAK = 10

/** Adds the number of each line in the older text, of which entries have the byte offset. These rise. */
function withOlderLines(older: string, entries: ReturnType<typeof compareLines>): ComparedLine[] {
  const bytes = Buffer.from(older)
  let [line, at] = [1, 0]
  return entries.map((entry) => {
    const { from } = entry.offset
    if (from === null) return { ...entry, fromLine: undefined }
    for (;;) {
      const lineBreak = bytes.indexOf(LINE_BREAK, at)
      if (lineBreak < 0 || lineBreak >= from) break
      line++
      at = lineBreak + 1
    }
    return { ...entry, fromLine: line }
  })
}
