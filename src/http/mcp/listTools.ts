/** Tools that list pages and revisions. */
import { decodeCharacterReferences } from '../../domain/characterReferences.js'
import { withoutTags } from '../../domain/html.js'
import { formatTimestamp } from '../../domain/timestamp.js'
import { prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import type { PageSummary } from '../../storage/store.js'
import { getComparison } from '../endpoints/compare.js'
import { getHistory } from '../endpoints/history.js'
import { getLanguageLinks } from '../endpoints/links.js'
import { searchPages } from '../endpoints/search.js'
import { merged } from '../views/merged.js'
import { askRoute, fieldsOf, findPage, type PageFields, type Tool, type ToolCall, ToolError } from './call.js'
import { count, fields, input, list, PAGE, revisionId, text } from './schemas.js'

const TITLE = text('title, with its namespace')
const MAX_HITS = 50
const MAX_LINKS = 200
/** Ids to read for an answer: pages may have gone. */
const MAX_READ = 1000

/** A page by its id, as `fieldsOf` names it. */
const namedPage = (page: PageSummary, call: ToolCall): PageFields =>
  fieldsOf({ title: page, page, redirectedFrom: undefined }, call)

interface SearchInput {
  readonly query: string
  readonly limit?: number
}

interface SearchAnswer {
  readonly pages: readonly {
    readonly id: number
    readonly excerpt: string | null
    readonly description: string | null
    readonly matched_title: string | null
  }[]
  readonly suggestion?: { readonly text: string }
}

export const searchTool: Tool<SearchInput> = {
  name: 'search',
  title: 'Search pages',
  description:
    'Full-text search: all words must occur. "Phrases", -exclusions, Talk:word for a namespace, all:word for all of them.',
  input: input({ query: text('words', 300), limit: count('most results', 1, MAX_HITS, 10) }, ['query']),
  output: fields({
    'suggestion?': 'string',
    pages: list(
      fields({ ...PAGE, 'description?': 'string', 'excerpt?': 'string', 'redirected_from?': 'string' }),
    ),
  }),
  async run({ query: q, limit = 10 }, call) {
    const answer = await askRoute<SearchAnswer>(searchPages, [], { q, limit }, call)
    const pages = answer.pages.flatMap(({ id, excerpt, description, matched_title: matched }) => {
      const page = call.context.store.getPageById(id)
      if (page === undefined) return []
      const words = decodeCharacterReferences(withoutTags(excerpt ?? '')).trim()
      return {
        ...namedPage(page, call),
        ...(description !== null && { description }),
        ...(words !== '' && { excerpt: words }),
        ...(matched !== null && { redirected_from: matched }),
      }
    })
    const suggestion = answer.suggestion?.text
    return { fields: { ...(suggestion !== undefined && { suggestion }), pages } }
  },
}

interface LinksInput {
  readonly title: string
  readonly direction?: 'from' | 'to'
  readonly limit?: number
  readonly offset?: number
}

export const linksTool: Tool<LinksInput> = {
  name: 'links',
  title: 'Links of a page',
  description: 'Pages that a page links to, or that link or redirect to it.',
  input: input(
    {
      title: TITLE,
      direction: { enum: ['from', 'to'], default: 'from', description: 'from the page, or to it' },
      limit: count('most links', 1, MAX_LINKS, 100),
      offset: count('next_offset of the answer before', 0, 0xffff_ffff, 0),
    },
    ['title'],
  ),
  output: fields({
    ...PAGE,
    'redirected_from?': 'string',
    links: list(fields({ title: 'string', exists: 'boolean' })),
    'next_offset?': 'integer',
  }),
  run({ title, direction = 'from', limit = 100, offset = 0 }, call) {
    const { store } = call.context
    const found = findPage(title, call)
    if (!store.pageLinks.isComplete())
      throw new ToolError(
        'The index of links is not complete: the operator can make it by "palimpsest reindex".',
      )
    const { links, next } =
      direction === 'from'
        ? linksFrom(found.page.pageId, { limit, offset }, call)
        : linksTo(found.title, { limit, offset }, call)
    return { fields: { ...fieldsOf(found, call), links, ...(next !== undefined && { next_offset: next }) } }
  },
}

interface Part {
  readonly limit: number
  readonly offset: number
}

interface Linked {
  readonly links: readonly { readonly title: string; readonly exists: boolean }[]
  readonly next: number | undefined
}

function linksFrom(pageId: number, { limit, offset }: Part, { context, wiki }: ToolCall): Linked {
  const targets = context.store.pageLinks.from(pageId, 'link')
  const links = targets.slice(offset, offset + limit).map(({ namespace, name: dbkey }) => ({
    title: prefixedText({ namespace, dbkey }, wiki.namespaces),
    exists: context.pages.find({ namespace, dbkey }) !== undefined,
  }))
  return { links, next: offset + limit < targets.length ? offset + limit : undefined }
}

function linksTo(
  { namespace, dbkey: name }: Title,
  { limit, offset }: Part,
  { context, wiki }: ToolCall,
): Linked {
  const { pageLinks } = context.store
  const lists = (['link', 'redirect'] as const).map((kind) =>
    pageLinks.to(kind, { namespace, name }, offset)[Symbol.iterator](),
  )
  const links: { title: string; exists: true }[] = []
  let read = 0
  let last: number | undefined
  for (const id of merged<number>(lists, (one, other) => one < other)) {
    if (id === last) continue
    if (links.length === limit || read++ === MAX_READ) return { links, next: id }
    last = id
    const page = context.store.getPageById(id)
    if (page !== undefined) links.push({ title: prefixedText(page, wiki.namespaces), exists: true })
  }
  return { links, next: undefined }
}

interface HistoryInput {
  readonly title: string
  readonly older_than?: number
}

interface HistoryAnswer {
  readonly revisions: readonly {
    readonly id: number
    readonly timestamp: string
    readonly minor: boolean
    readonly size: number | null
    readonly comment: string | null
    readonly user: { readonly name: string | null } | null
    readonly delta: number | null
  }[]
  readonly older?: string
}

export const historyTool: Tool<HistoryInput> = {
  name: 'history',
  title: 'History of a page',
  description: 'Revisions of a page, the newest 20 first.',
  input: input({ title: TITLE, older_than: revisionId('only revisions before this one') }, ['title']),
  output: fields({
    ...PAGE,
    'redirected_from?': 'string',
    revisions: list(
      fields({
        revision: 'integer',
        timestamp: 'string',
        url: 'string',
        minor: 'boolean',
        'user?': 'string',
        'comment?': 'string',
        'size?': 'integer',
        'delta?': 'integer',
      }),
    ),
    has_older: 'boolean',
  }),
  async run({ title, older_than }, call) {
    const found = findPage(title, call)
    const page = fieldsOf(found, call)
    const key = prefixedKey(found.title, call.wiki.namespaces)
    const answer = await askRoute<HistoryAnswer>(getHistory, [key], { older_than }, call)
    const revisions = answer.revisions.map(({ id, timestamp, minor, size, comment, user, delta }) => ({
      revision: id,
      timestamp,
      url: call.address(key, id),
      minor,
      ...(user?.name !== undefined && user.name !== null && { user: user.name }),
      ...(comment !== null && comment !== '' && { comment }),
      ...(size !== null && { size }),
      ...(delta !== null && { delta }),
    }))
    return { fields: { ...page, revisions, has_older: answer.older !== undefined } }
  },
}

interface LanguagesInput {
  readonly title: string
}

interface LanguageLink {
  readonly code: string
  readonly name: string
  readonly title: string
}

export const languagesTool: Tool<LanguagesInput> = {
  name: 'languages',
  title: 'Languages of a page',
  description: 'Titles of a page in the wikis of other languages.',
  input: input({ title: TITLE }, ['title']),
  output: fields({
    ...PAGE,
    'redirected_from?': 'string',
    languages: list(fields({ code: 'string', name: 'string', title: 'string' })),
  }),
  async run({ title }, call) {
    const found = findPage(title, call)
    const page = fieldsOf(found, call)
    const key = prefixedKey(found.title, call.wiki.namespaces)
    const answer = await askRoute<readonly LanguageLink[]>(getLanguageLinks, [key], {}, call)
    const languages = answer.map(({ code, name, title: other }) => ({ code, name, title: other }))
    return { fields: { ...page, languages } }
  },
}

interface CompareInput {
  readonly from: number
  readonly to?: number
}

interface DiffEntry {
  readonly type: 0 | 1 | 2 | 3 | 4 | 5
  readonly lineNumber?: number
  readonly text: string
  readonly highlightRanges?: readonly {
    readonly start: number
    readonly length: number
    readonly type: 0 | 1
  }[]
}

export const compareTool: Tool<CompareInput> = {
  name: 'compare',
  title: 'Compare revisions',
  description:
    'Lines of wikitext that differ between two revisions of a page: "+" added, "-" deleted, "~" changed, with {+added+} and [-deleted-] words.',
  input: input(
    { from: revisionId('older revision'), to: revisionId('newer revision; the latest by default') },
    ['from'],
  ),
  output: fields({
    ...PAGE,
    from: fields({ revision: 'integer', timestamp: 'string', url: 'string' }),
    text: 'string',
  }),
  async run({ from, to: asked }, call) {
    const { store } = call.context
    const older = store.getRevision(from)
    const page = older && store.getPageById(older.pageId)
    if (older === undefined || page === undefined) throw new ToolError(`There is no revision ${from}.`)
    const to = asked ?? page.latestId
    const newer = store.getRevision(to)
    if (newer === undefined) throw new ToolError(`There is no revision ${to}.`)
    const key = prefixedKey(page, call.wiki.namespaces)
    const place = (id: number, timestamp: number): Omit<PageFields, 'title'> => ({
      revision: id,
      timestamp: formatTimestamp(timestamp),
      url: call.address(key, id),
    })
    const answer = await askRoute<{ readonly diff: readonly DiffEntry[] }>(
      getComparison,
      [String(from), String(to)],
      {},
      call,
    )
    const lines = answer.diff.map(diffLine).join('\n')
    const shown = lines === '' ? 'The texts are equal.' : lines
    const title = prefixedText(page, call.wiki.namespaces)
    const facts = { title, ...place(to, newer.timestamp), from: place(from, older.timestamp) }
    return { fields: { ...facts, text: shown }, text: `[${title}, revision ${from} to ${to}]\n\n${shown}` }
  },
}

const SIGNS = ['  ', '+ ', '- ', '~ ', '- ', '+ '] as const

/** Offsets of ranges are bytes. */
function diffLine({ type, text: line, highlightRanges = [] }: DiffEntry): string {
  const bytes = Buffer.from(line)
  let [shown, at] = [SIGNS[type] as string, 0]
  for (const { start, length, type: kind } of highlightRanges) {
    const [open, close] = kind === 0 ? ['{+', '+}'] : ['[-', '-]']
    shown += bytes.toString('utf8', at, start)
    shown += open + bytes.toString('utf8', start, start + length) + close
    at = start + length
  }
  return shown + bytes.toString('utf8', at)
}
