/**
 * Labelled section transclusion. It includes the text between `<section begin=name/>` and `<section end=name/>`, the
 * page without that text, or the text under a heading.
 */
import type { Title } from '../../../domain/title.js'
import { VisibleText } from '../../../wikitext/visibleText.js'
import type { FunctionCall, FunctionTable } from '../functionCall.js'
import { trim } from '../literal.js'
import { withoutMarkers } from '../stripMarkers.js'
import type { Template } from '../templates.js'
import { addNode, type Node, type Tree } from '../tree.js'

export const SECTION_FUNCTIONS: FunctionTable = {
  '#lst': includeSections,
  '#section': includeSections,
  '#lstx': excludeSections,
  '#section-x': excludeSections,
  '#lsth': includeHeading,
  '#section-h': includeHeading,
}

const SECTION_TAG = 'section'
/** An attribute with its value, quoted or up to a blank. */
const ATTRIBUTE = /\s(begin|end)\s*=\s*(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s"'>]{1,500}))/gi
const LONGEST_HEADING = 6
const ONLY_INCLUDE = /<\/?onlyinclude>/g
/** Cost factor: every character is scanned and parsed again. */
const HEADING_COST = 20
/** Cost of a node, which may be a section tag. */
const NODE_COST = 5

/**
 * All parts with one name, or the text from the start of the first name to the end of the second one. Without names,
 * the whole page.
 */
function includeSections(call: FunctionCall): string | undefined {
  const first = nameAt(call, 1)
  const last = nameAt(call, 2) || first
  return withPage(call, 'lst', (page) => {
    if (first === '') return page.tree
    let open = false
    return selected(page.tree, ({ begin, end }) => {
      const wasOpen = open
      if (begin === first) open = true
      if (end === last) open = false
      return { keep: open, changes: open !== wasOpen }
    })
  })
}

/** The page without the parts of a name. The third argument replaces each. */
function excludeSections(call: FunctionCall): string | undefined {
  const name = nameAt(call, 1)
  const replacement = call.text(2)
  return withPage(call, 'lstx', (page) => {
    let open = false
    return selected(
      page.tree,
      ({ begin, end }) => {
        const wasOpen = open
        if (begin === name) open = true
        if (end === name) open = false
        return { keep: !open, changes: open !== wasOpen }
      },
      replacement,
      true,
    )
  })
}

/** The text under a heading, up to the next one of its level or to a named one. Without a name, the lead section. */
function includeHeading(call: FunctionCall): string | undefined {
  const from = nameAt(call, 1).toLowerCase()
  const to = nameAt(call, 2).toLowerCase()
  return withPage(call, 'lsth', (page) => {
    const { expander } = call
    expander.budget.countText(HEADING_COST * page.text.length)
    const headings = headingsOf(page.text)
    const index = headings.findIndex(({ text }) => text === from)
    if (from !== '' && index < 0) return []
    const heading = from === '' ? undefined : headings[index]
    const after = headings.slice(from === '' ? 0 : index + 1)
    const next = after.find(({ level, text }) =>
      to === '' ? level <= (heading?.level ?? LONGEST_HEADING) : text === to,
    )
    const text = page.text.slice(heading?.end ?? 0, next?.start ?? page.text.length)
    return expander.parseIncluded(trim(text.replace(ONLY_INCLUDE, '')))
  })
}

const nameAt = (call: FunctionCall, index: number): string => withoutMarkers(call.text(index))

/** Expands the chosen part of the page that the call names. A missing page becomes a link to it. */
function withPage(call: FunctionCall, kind: string, choose: (page: Template) => Tree): string | undefined {
  const { expander, frame } = call
  const title: Title | undefined = expander.titles.parse(withoutMarkers(call.text(0)))
  if (title === undefined) return ''
  const page = expander.templates.load(title)
  if (page === undefined) return expander.saving ? undefined : `[[:${expander.titles.fullText(title)}]]`
  expander.budget.countSteps(NODE_COST * page.tree.length)
  const parts = Array.from({ length: call.count - 1 }, (_, n) => call.text(n + 1))
  return expander.includePart(page, [kind, ...parts].join('|'), choose(page), frame)
}

interface Mark {
  readonly begin: string | undefined
  readonly end: string | undefined
}

/** The kept nodes, without section tags. `replacement` stands at the start of each omitted part. */
function selected(
  tree: Tree,
  step: (mark: Mark) => { readonly keep: boolean; readonly changes: boolean },
  replacement = '',
  keepFirst = false,
): Tree {
  const nodes: Node[] = []
  let keep = keepFirst
  for (const node of tree) {
    if (typeof node === 'string' || node.kind !== 'tag' || node.name !== SECTION_TAG) {
      if (keep) addNode(nodes, node)
      continue
    }
    const { keep: keepNext, changes } = step(markOf(node.source))
    if (changes && !keepNext) addNode(nodes, replacement)
    keep = keepNext
  }
  return nodes
}

function markOf(source: string): Mark {
  const found = new Map<string, string>()
  const attributes = source.slice(0, source.indexOf('>')).replace(/\/$/, '')
  for (const [, name = '', ...values] of attributes.matchAll(ATTRIBUTE))
    found.set(name.toLowerCase(), trim(values.find((value) => value !== undefined) ?? ''))
  return { begin: found.get('begin'), end: found.get('end') }
}

interface Heading {
  readonly level: number
  /** As written, in lower case. */
  readonly text: string
  readonly start: number
  /** Index after its line. */
  readonly end: number
}

/** Lines that begin and end with `=`, apart from comments and blanks at the end. Skips comments and literal tags. */
function headingsOf(text: string): Heading[] {
  const headings: Heading[] = []
  const visible = new VisibleText(text)
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline + 1
    if (text[start] === '=' && visible.holds(start)) {
      const heading = headingOf(text.slice(start, end))
      if (heading !== undefined) headings.push({ ...heading, start, end })
    }
    start = end
  }
  return headings
}

function headingOf(line: string): Pick<Heading, 'level' | 'text'> | undefined {
  const plain = trim(line.replace(/<!--[^]*?-->/g, ''))
  const before = runLength(plain, 0, 1)
  const after = runLength(plain, plain.length - 1, -1)
  const level = Math.min(before, after, LONGEST_HEADING, Math.floor((plain.length - 1) / 2))
  if (level < 1) return undefined
  return { level, text: trim(plain.slice(level, plain.length - level)).toLowerCase() }
}

/** Number of consecutive `=` from a position, in one direction. */
function runLength(text: string, from: number, direction: 1 | -1): number {
  let count = 0
  while (count < text.length && text[from + direction * count] === '=') count++
  return count
}
