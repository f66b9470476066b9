/**
 * A page as Markdown or plain text, whole or by section. Pure; time is linear in the length of the HTML.
 *
 * CommonMark, with tables, strikethrough and footnotes as GitHub writes them, `$…$` for formulas, and lines `: …` for
 * definitions. Left out: hatnotes, boxes that lead elsewhere, edit links, hidden parts, styles and scripts, pictures
 * apart from their captions, and the list of notes.
 */
import { firstBytes } from '../../domain/utf8.js'
import type { MarkdownOptions, Walk } from './form.js'
import { type Block, blocksOf, type Heading, notesIn, notesOf } from './blocks.js'
import { escapeText } from './marks.js'
import { readTree } from './tree.js'

export type { MarkdownOptions, PageLinks } from './form.js'

export interface MarkdownSection extends Heading {
  /** Counted from 1 in the order of the page, as MediaWiki does in most pages. */
  readonly number: number
  /** Of its text with the sections below it, as UTF-8, without notes. */
  readonly bytes: number
}

export interface MarkdownPage {
  /** Undefined if the page has no such section. It ends without a newline. */
  readonly text: string | undefined
  /** Whether text is missing at its end because of `maxBytes`. */
  readonly isCut: boolean
  /** Bytes of the whole text that was asked for, without notes. */
  readonly bytes: number
  /** All sections of the page that have a heading. */
  readonly sections: readonly MarkdownSection[]
}

const GAP = '\n\n'
/** Longer pages are not read to their end. */
const MAX_SECTIONS = 5000

/** `html` is the inside of a body, without markup of language variants. */
export function markdownOf(html: string, options: MarkdownOptions): MarkdownPage {
  const root = readTree(html)
  const walk: Walk = { ...options, noteNumbers: new Map() }
  const blocks = withoutNoteLists(numbered(blocksOf(root, walk)))
  const sections = sectionsOf(blocks)
  const range = rangeOf(options.section, blocks, sections)
  if (range === undefined) return { text: undefined, isCut: false, bytes: 0, sections }
  const chosen = blocks.slice(...range)
  if (options.title !== undefined && options.section === undefined) chosen.unshift(titleBlock(options))
  const { text, isCut, notes } = withinBytes(chosen, options.maxBytes)
  const withNotes =
    notes.size === 0
      ? { text, isCut }
      : addNotes(text, isCut, [...notes], notesOf(root, walk), options.maxBytes)
  return { ...withNotes, bytes: bytesOf(chosen), sections }
}

type NumberedBlock = Block & { readonly number?: number }

function numbered(blocks: readonly Block[]): NumberedBlock[] {
  let number = 0
  return blocks.map((block) => (block.heading === undefined ? block : { ...block, number: ++number }))
}

/** The heading of a section that has nothing but the list of notes is left out with it. */
function withoutNoteLists(blocks: readonly NumberedBlock[]): NumberedBlock[] {
  const kept: NumberedBlock[] = []
  let isAfterNotes = false
  for (const block of blocks.toReversed()) {
    const { heading } = block
    if (block.isNoteList === true) {
      isAfterNotes = true
      continue
    }
    const next = kept.at(-1)
    const isHollow =
      isAfterNotes &&
      heading !== undefined &&
      (next === undefined || (next.heading !== undefined && next.heading.level <= heading.level))
    isAfterNotes = false
    if (!isHollow) kept.push(block)
  }
  return kept.reverse()
}

function titleBlock({ title = '', form }: MarkdownOptions): Block {
  return { text: form === 'text' ? title : `# ${escapeText(title)}`, notes: [] }
}

const sizeOf = ({ text }: Block): number => Buffer.byteLength(text) + GAP.length

const bytesOf = (blocks: readonly Block[]): number =>
  Math.max(0, blocks.reduce((sum, block) => sum + sizeOf(block), 0) - GAP.length)

function sectionsOf(blocks: readonly NumberedBlock[]): MarkdownSection[] {
  const sections: { -readonly [Key in keyof MarkdownSection]: MarkdownSection[Key] }[] = []
  let open: typeof sections = []
  for (const block of blocks) {
    const { heading } = block
    if (heading !== undefined && sections.length < MAX_SECTIONS) {
      open = open.filter(({ level }) => level < heading.level)
      const section = { ...heading, number: block.number!, bytes: -GAP.length }
      sections.push(section)
      open.push(section)
    }
    const size = sizeOf(block)
    for (const section of open) section.bytes += size
  }
  return sections
}

/** Places of the first block of what is asked for, and of the one after its last. */
function rangeOf(
  asked: number | string | undefined,
  blocks: readonly NumberedBlock[],
  sections: readonly MarkdownSection[],
): [number, number] | undefined {
  if (asked === undefined) return [0, blocks.length]
  const wanted = numberOf(asked, sections)
  const start = wanted === 0 ? 0 : blocks.findIndex(({ number }) => number !== undefined && number === wanted)
  if (start < 0) return undefined
  const level = blocks[start]?.number === wanted ? blocks[start]?.heading?.level : undefined
  const length = blocks
    .slice(wanted === 0 ? 0 : start + 1)
    .findIndex(({ heading }) => heading !== undefined && heading.level <= (level ?? Infinity))
  if (length < 0) return [start, blocks.length]
  return [start, wanted === 0 ? length : start + 1 + length]
}

function numberOf(asked: number | string, sections: readonly MarkdownSection[]): number | undefined {
  if (typeof asked === 'number') return asked
  const wanted = asked.trim()
  const anchor = wanted.replaceAll(' ', '_')
  const found =
    sections.find((section) => section.title === wanted || section.anchor === anchor) ??
    sections.find(({ title }) => title.toLowerCase() === wanted.toLowerCase())
  return found?.number ?? (/^\d{1,5}$/.test(wanted) ? Number(wanted) : undefined)
}

interface Bounded {
  readonly text: string
  readonly isCut: boolean
  readonly notes: ReadonlySet<number>
}

/** Whole blocks, unless the first one is too long already. */
function withinBytes(blocks: readonly Block[], maxBytes: number): Bounded {
  const texts: string[] = []
  const notes = new Set<number>()
  let left = maxBytes + GAP.length
  for (const block of blocks) {
    left -= sizeOf(block)
    if (left < 0) {
      if (texts.length === 0) texts.push(beginningOf(block.text, maxBytes))
      return { text: texts.join(GAP), isCut: true, notes }
    }
    texts.push(block.text)
    for (const note of block.notes) notes.add(note)
  }
  return { text: texts.join(GAP), isCut: false, notes }
}

/** Up to the last line or word that fits. */
function beginningOf(text: string, maxBytes: number): string {
  const whole = firstBytes(text, maxBytes)
  const end = Math.max(whole.lastIndexOf('\n'), whole.lastIndexOf(' '))
  return end > whole.length / 2 ? whole.slice(0, end) : whole
}

function addNotes(
  text: string,
  isCut: boolean,
  numbers: readonly number[],
  texts: ReadonlyMap<number, string>,
  maxBytes: number,
): { readonly text: string; readonly isCut: boolean } {
  // A note may name further ones.
  const all = new Set(numbers)
  for (const number of all) for (const further of notesIn(texts.get(number) ?? '')) all.add(further)
  const lines: string[] = []
  let left = maxBytes - Buffer.byteLength(text) - GAP.length
  const whole = (): string => [text, lines.join('\n')].filter((part) => part !== '').join(GAP)
  for (const number of [...all].toSorted((one, other) => one - other)) {
    const note = texts.get(number)
    // A list of notes may lack it, and code may look like the mark of one.
    if (note === undefined) continue
    const line = `[^${number}]: ${note}`.trimEnd()
    left -= Buffer.byteLength(line) + 1
    if (left < -1) return { text: whole(), isCut: true }
    lines.push(line)
  }
  return { text: whole(), isCut }
}
