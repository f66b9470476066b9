/** Tools that read one page: its text, its outline, its beginning. */
import { firstBytes } from '../../domain/utf8.js'
import { TEMPLATE } from '../../domain/namespaceIds.js'
import type { PageLead } from '../../reader/extract.js'
import { encodeTitle } from '../../reader/links.js'
import type { MarkdownOptions, MarkdownSection } from '../../reader/markdown/markdown.js'
import { ownBody, type PackedPart } from '../../storage/html/packedHtml.js'
import type { MarkdownBytes } from '../../workers/compute/tasks.js'
import { NO_CONDITIONS } from '../reply/conditional.js'
import { withHtml } from '../views/html.js'
import {
  fieldsOf,
  findPage,
  type FoundPage,
  requireText,
  type Tool,
  type ToolAnswer,
  type ToolCall,
  ToolError,
} from './call.js'
import { count, fields, input, PAGE, SECTIONS, text } from './schemas.js'

const DEFAULT_BYTES = 30_000
/** A longer answer takes more than a millisecond to write. */
const MAX_BYTES = 100_000
const MAX_RESOURCE_BYTES = 200_000
/** Sections of an outline. */
const MAX_SECTIONS = 400
/** Sections that an error names. */
const NAMED_SECTIONS = 40
const TITLE = text('title, with its namespace')
const MAX_BYTES_INPUT = count('budget of the text', 500, MAX_BYTES, DEFAULT_BYTES)

interface PageInput {
  readonly title: string
  readonly section?: string | number
  readonly format?: 'markdown' | 'text' | 'wikitext'
  readonly notes?: boolean
  readonly max_bytes?: number
}

export const pageTool: Tool<PageInput> = {
  name: 'page',
  title: 'Read a page',
  description:
    'Read a page or one of its sections. A text longer than max_bytes comes as its outline: then ask for sections. Follows redirects.',
  input: input(
    {
      title: TITLE,
      section: {
        anyOf: [text('title or anchor', 500), count('number', 0, 99_999)],
        description: 'number from the outline, title or anchor; 0 is the lead. Subsections come with it',
      },
      format: { enum: ['markdown', 'text', 'wikitext'], default: 'markdown' },
      notes: { type: 'boolean', default: false, description: 'Markdown with footnotes' },
      max_bytes: MAX_BYTES_INPUT,
    },
    ['title'],
  ),
  output: fields({
    ...PAGE,
    'redirected_from?': 'string',
    format: 'string',
    'text?': 'string',
    'truncated?': 'boolean',
    'bytes?': 'integer',
    'outline?': SECTIONS,
    'omitted?': 'integer',
  }),
  async run(
    { title, section, format = 'markdown', notes = false, max_bytes: maxBytes = DEFAULT_BYTES },
    call,
  ) {
    const found = findPage(title, call)
    requireText(found, call)
    const page = { ...fieldsOf(found, call), format }
    if (format === 'wikitext') return textAnswer(page, cut(await wikitext(found, section, call), maxBytes))
    const options: Pick<MarkdownOptions, 'form' | 'notes'> = {
      form: format,
      notes: notes ? 'footnotes' : 'none',
    }
    const made = await markdown(found, { ...options, section, maxBytes }, call)
    if (made.text === undefined) throw noSection(page.title, section, made.sections)
    const inside = made.isCut ? sectionsInside(section, made.sections) : []
    if (inside.length > 0) return outlineInstead(page, made.bytes, inside)
    return textAnswer(page, { text: Buffer.from(made.text).toString(), truncated: made.isCut })
  },
}

function textAnswer(
  page: Readonly<Record<string, unknown>>,
  { text: shown, truncated }: { readonly text: string; readonly truncated: boolean },
): ToolAnswer {
  const end = truncated ? '\n\n[The text goes on: raise max_bytes.]' : ''
  return { fields: { ...page, text: shown, truncated }, text: `${headLine(page)}\n\n${shown}${end}` }
}

function outlineInstead(
  page: Readonly<Record<string, unknown>>,
  bytes: number,
  outline: readonly MarkdownSection[],
): ToolAnswer {
  const why = `The text has ${bytes} bytes, more than max_bytes. Ask for a section (0 is the lead):`
  const { shown, omitted } = bounded(outline)
  return {
    fields: { ...page, bytes, outline: shown, ...omitted },
    text: `${headLine(page)}\n\n${why}\n${outlineLines(shown)}`,
  }
}

function bounded(sections: readonly MarkdownSection[]): {
  readonly shown: readonly MarkdownSection[]
  readonly omitted: { readonly omitted?: number }
} {
  const omitted = sections.length - MAX_SECTIONS
  return { shown: sections.slice(0, MAX_SECTIONS), omitted: omitted > 0 ? { omitted } : {} }
}

/** Names the page above its text. */
const headLine = ({ title, revision, timestamp, url }: Readonly<Record<string, unknown>>): string =>
  `[${String(title)}, revision ${String(revision)} of ${String(timestamp)}, ${String(url)}]`

const outlineLines = (sections: readonly MarkdownSection[]): string =>
  sections
    .map(
      ({ number, level, title, bytes }) =>
        `${'  '.repeat(Math.max(0, level - 2))}${number}. ${title} (${bytes})`,
    )
    .join('\n')

/** Those below a section, or all of the page. */
function sectionsInside(
  asked: string | number | undefined,
  sections: readonly MarkdownSection[],
): readonly MarkdownSection[] {
  if (asked === undefined) return sections
  const at = sections.findIndex(({ number, title, anchor }) =>
    [String(number), title, anchor].includes(String(asked).trim()),
  )
  if (at < 0) return []
  const rest = sections.slice(at + 1)
  const end = rest.findIndex(({ level }) => level <= sections[at]!.level)
  return end < 0 ? rest : rest.slice(0, end)
}

function noSection(title: string, asked: unknown, sections: readonly MarkdownSection[]): ToolError {
  const names = sections.slice(0, NAMED_SECTIONS).map(({ number, title: name }) => `${number} ${name}`)
  const known = names.length === 0 ? 'It has none.' : `It has: ${names.join('; ')}.`
  return new ToolError(`"${title}" has no section ${JSON.stringify(asked)}. ${known}`)
}

interface OutlineInput {
  readonly title: string
}

export const outlineTool: Tool<OutlineInput> = {
  name: 'outline',
  title: 'Outline of a page',
  description: 'Sections of a page with their size in bytes of Markdown.',
  input: input({ title: TITLE }, ['title']),
  output: fields({
    ...PAGE,
    'redirected_from?': 'string',
    bytes: 'integer',
    sections: SECTIONS,
    'omitted?': 'integer',
  }),
  async run({ title }, call) {
    const found = findPage(title, call)
    requireText(found, call)
    const page = fieldsOf(found, call)
    const { bytes, sections } = await markdown(found, { form: 'markdown', notes: 'none', maxBytes: 1 }, call)
    const { shown, omitted } = bounded(sections)
    const lines = `${headLine({ ...page })}\n\n${bytes} bytes\n${outlineLines(shown)}`
    return { fields: { ...page, bytes, sections: shown, ...omitted }, text: lines }
  },
}

export const summaryTool: Tool<OutlineInput> = {
  name: 'summary',
  title: 'Summary of a page',
  description: 'Short description and first paragraph of a page.',
  input: input({ title: TITLE }, ['title']),
  output: fields({ ...PAGE, 'redirected_from?': 'string', 'description?': 'string', text: 'string' }),
  async run({ title }, call) {
    const { context, wiki } = call
    const found = findPage(title, call)
    requireText(found, call)
    const page = fieldsOf(found, call)
    const { description } = context.store.search.pageFacts(found.page.pageId)
    const parts = await bodyOf(found, call)
    const templates = encodeTitle(wiki.namespaces.keyPrefix(TEMPLATE))
    const lead: PageLead = await context.pool.run('lead', { parts, templates })
    const about = description === undefined ? '' : `${description}\n\n`
    return {
      fields: { ...page, ...(description !== undefined && { description }), text: lead.text },
      text: `${headLine({ ...page })}\n\n${about}${lead.text}`,
    }
  },
}

/** The packed HTML of the inside of the page's body. */
async function bodyOf({ page }: FoundPage, { context, client }: ToolCall): Promise<readonly PackedPart[]> {
  const request = { clientAddress: () => client, conditions: NO_CONDITIONS }
  return await withHtml(
    { revisionId: page.latestId, request, isCurrent: () => true },
    context,
    ({ packedHtml }) => ownBody(packedHtml),
  )
}

async function markdown(
  found: FoundPage,
  options: Omit<MarkdownOptions, 'links'>,
  call: ToolCall,
): Promise<MarkdownBytes> {
  const parts = await bodyOf(found, call)
  return call.context.pool.run('markdown', { parts, options: { ...options, links: 'titles' } })
}

/** The Markdown of a page for the resource of its title. */
export async function resourceText(title: string, call: ToolCall): Promise<string> {
  const found = findPage(title, call)
  requireText(found, call)
  const { title: name, url } = fieldsOf(found, call)
  const options = { form: 'markdown', notes: 'footnotes', title: name, maxBytes: MAX_RESOURCE_BYTES } as const
  const { text: made, isCut } = await markdown(found, options, call)
  const end = isCut ? `\n\n[The text goes on: ${url}]` : ''
  return `${Buffer.from(made ?? []).toString()}${end}\n`
}

async function wikitext(
  { page }: FoundPage,
  section: string | number | undefined,
  { context }: ToolCall,
): Promise<string> {
  const of = { revisionId: page.latestId }
  if (section !== undefined && !/^\d+$/.test(String(section)))
    throw new ToolError('A section of wikitext is named by its number.')
  const bytes =
    section === undefined
      ? await context.pool.run('textBytes', { of, form: 'plain' })
      : await context.pool.run('sectionText', { of, section: Number(section) })
  if (bytes === 'no-section') throw new ToolError(`The page has no section ${section}.`)
  if (bytes === undefined) throw new ToolError('The text is gone.')
  return Buffer.from(bytes).toString()
}

function cut(whole: string, maxBytes: number): { readonly text: string; readonly truncated: boolean } {
  const text = firstBytes(whole, maxBytes)
  return { text, truncated: text.length < whole.length }
}
