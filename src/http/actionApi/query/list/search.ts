/** `list=search` and `prefixsearch`, and the titles of `opensearch`. */
import { spellingsOf } from '../../../views/variantTitles.js'
import { formatTimestamp } from '../../../../domain/timestamp.js'
import { compareUtf8, parseTitle, type Title } from '../../../../domain/title.js'
import { hasVariants } from '../../../../domain/variants.js'
import type { PageSummary } from '../../../../storage/store.js'
import { HttpError } from '../../../reply/errors.js'
import { searchPages } from '../../../views/searching.js'
import {
  choiceOr,
  choicesOr,
  flag,
  integerOr,
  limit,
  namespacesOr,
  type Parameter,
  requiredText,
  type Values,
} from '../../frame/declaration.js'
import type { ActionCall } from '../../frame/call.js'
import { ActionError } from '../../frame/problems.js'
import type { Fields } from '../../frame/values.js'
import { titleFields } from '../../pageSet/pageSet.js'
import { defineList, type Item, type Listing, type QueryCall } from '../module.js'

/** More of a query is left out. */
const MAX_QUERY_LENGTH = 300
const MAX_OFFSET = 10_000
/** Words of longer texts are counted from their beginning. */
const MAX_COUNTED = 16 * 1024

const PROPERTIES = [
  'size',
  'wordcount',
  'timestamp',
  'snippet',
  'titlesnippet',
  'redirecttitle',
  'redirectsnippet',
  'sectiontitle',
  'sectionsnippet',
  'isfilematch',
  'categorysnippet',
  'score',
  'hasrelated',
  'extensiondata',
] as const

const parameters = {
  search: requiredText('words, phrases, `intitle:`, and titles'),
  namespace: namespacesOr([0], 'namespaces to search'),
  limit: limit(),
  offset: integerOr(0, 'leave out so many results', { min: 0 }),
  what: choiceOr('text', ['title', 'text', 'nearmatch'], 'where to search'),
  info: choicesOr(
    ['totalhits', 'suggestion', 'rewrittenquery'],
    ['totalhits', 'suggestion', 'rewrittenquery'],
    'facts of the search',
  ),
  prop: choicesOr(['size', 'wordcount', 'timestamp', 'snippet'], PROPERTIES, 'what to tell', {
    deprecated: ['score', 'hasrelated'],
  }),
  interwiki: flag('without effect'),
  enablerewrites: flag('without effect'),
  sort: choiceOr('relevance', ['relevance'], 'order'),
} satisfies Record<string, Parameter<unknown>>
type SearchValues = Values<typeof parameters>

export const search = defineList({
  name: 'search',
  prefix: 'sr',
  summary: 'Search in texts and titles',
  isGenerator: true,
  parameters,
  run: (call, values) => (values.what === 'nearmatch' ? nearMatch(values, call) : textSearch(values, call)),
})

/** As the REST API sends them. */
interface WirePage {
  readonly id: number
  readonly excerpt: string
}
interface WireAnswer {
  readonly pages: readonly WirePage[]
  readonly suggestion?: string
}

async function textSearch(values: SearchValues, call: QueryCall): Promise<Listing> {
  const { search: given, namespace, limit: most, offset, info, prop } = values
  const start = Math.min(offset, MAX_OFFSET)
  const request = {
    text: given.slice(0, MAX_QUERY_LENGTH).toWellFormed().trim() || '"',
    limit: most + 1,
    offset: start,
    namespaces: namespace ?? call.wiki.namespaces.ids().filter((id) => id >= 0),
  }
  const { pages, suggestion } = await found(request, call)
  const items = pages.slice(0, most).flatMap(({ id, excerpt }, at): Item[] => {
    const page = call.context.store.getPageById(id)
    if (page === undefined) return []
    return [{ pageId: id, index: start + at + 1, fields: fieldsOf(page, excerpt, prop, call) }]
  })
  const hasMore = pages.length > most
  const searchinfo = {
    ...(info.includes('totalhits') && { totalhits: start + pages.length }),
    ...(info.includes('suggestion') &&
      suggestion !== undefined && { suggestion, suggestionsnippet: suggestion }),
  }
  return {
    items,
    ...(hasMore && { more: { offset: start + most } }),
    ...(Object.keys(searchinfo).length > 0 && !call.isGenerator && { beside: { searchinfo } }),
  }
}

async function found(
  request: Parameters<typeof searchPages>[0],
  { baseUrl, context }: QueryCall,
): Promise<WireAnswer> {
  try {
    const answer = searchPages(request, baseUrl, context)
    const bytes = answer instanceof Promise ? await answer : answer
    return JSON.parse(Buffer.from(bytes).toString()) as WireAnswer
  } catch (error) {
    if (!(error instanceof HttpError) || error.key !== 'rest-search-error') throw error
    throw new ActionError('search-error', 'An error has occurred while searching.')
  }
}

function fieldsOf(page: PageSummary, snippet: string, prop: SearchValues['prop'], call: QueryCall): Fields {
  const revision = call.context.store.getRevision(page.latestId)
  return {
    ...titleFields(page, call.wiki.namespaces),
    pageid: page.pageId,
    ...(prop.includes('size') && { size: revision?.sizeBytes ?? 0 }),
    ...(prop.includes('wordcount') && { wordcount: wordsOf(page, call) }),
    ...(prop.includes('snippet') && { snippet }),
    ...(prop.includes('timestamp') && { timestamp: formatTimestamp(page.latestTimestamp) }),
  }
}

function wordsOf({ namespace, dbkey }: PageSummary, { context }: QueryCall): number {
  const source = context.store.getPage(namespace, dbkey)?.source
  if (source === undefined) return 0
  const counted = Math.min(source.length, MAX_COUNTED)
  const start = source.indexOf(SOURCE_FIELD)
  let words = 0
  let isIn = false
  for (let at = start + SOURCE_FIELD.length + 1; start >= 0 && at < counted; at++) {
    const byte = source[at]!
    const isOf = isOfWord(byte)
    if (isOf && !isIn) words++
    isIn = isOf
    // An escaped sign is no letter.
    if (byte === BACKSLASH) at++
  }
  return Math.round((words * source.length) / counted)
}

const SOURCE_FIELD = ',"source":'
const BACKSLASH = 0x5c
/** Letters of ASCII, as MediaWiki counts words. */
const isOfWord = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x27 || byte === 0x2d

/** A page with this title, or with the same in other capitals. */
function nearMatch({ search: given, prop, limit: most, offset }: SearchValues, call: QueryCall): Listing {
  const { namespaces } = call.wiki
  const spellings = [given, given.toLowerCase(), titleCase(given), given.toUpperCase()]
  for (const spelling of spellings) {
    const parsed = parseTitle(spelling, namespaces)
    if (!parsed.ok || parsed.title.namespace < 0) continue
    const page = call.context.store.getPageByTitle(parsed.title)
    if (page === undefined) continue
    const fields = fieldsOf(page, '', prop, call)
    return { items: offset > 0 || most < 1 ? [] : [{ pageId: page.pageId, index: 1, fields }] }
  }
  return { items: [] }
}

const titleCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[\s_])(\p{L})/gu, (_all, blank: string, letter: string) => blank + letter.toUpperCase())

export const prefixSearch = defineList({
  name: 'prefixsearch',
  prefix: 'ps',
  summary: 'Pages whose titles begin with a text',
  isGenerator: true,
  parameters: {
    search: requiredText('beginning of titles'),
    namespace: namespacesOr([0], 'namespaces, unless the text names one'),
    limit: limit(),
    offset: integerOr(0, 'leave out so many results', { min: 0 }),
  },
  async run(call, { search: given, namespace, limit: most, offset }) {
    const start = Math.min(offset, MAX_OFFSET)
    const titles = await titlesInVariants(given, namespace, start + most + 1, call)
    const items = titles.slice(start, start + most).flatMap((title, at): Item[] => {
      const row = call.context.store.getPage(title.namespace, title.dbkey)
      if (row === undefined) return []
      const { pageId } = row
      return [
        {
          title,
          pageId,
          index: start + at + 1,
          fields: { ...titleFields(title, call.wiki.namespaces), pageid: pageId },
        },
      ]
    })
    return { items, ...(titles.length > start + most && { more: { offset: start + most } }) }
  },
})

/** As `titlesFrom`. If no title begins so, those that begin with the text in the letters of another variant. */
export async function titlesInVariants(
  given: string,
  namespaces: readonly number[] | undefined,
  most: number,
  call: ActionCall,
): Promise<Title[]> {
  const found = titlesFrom(given, namespaces, most, call)
  const { language } = call.wiki.site
  if (found.length > 0 || most < 1 || !hasVariants(language)) return found
  for (const spelling of await spellingsOf(given, language, call.context)) {
    const others = titlesFrom(spelling, namespaces, most, call)
    if (others.length > 0) return others
  }
  return found
}

/** Titles that begin with a text, by the title without its namespace. */
export function titlesFrom(
  given: string,
  namespaces: readonly number[] | undefined,
  most: number,
  { wiki, context }: ActionCall,
): Title[] {
  const parsed = parseTitle(`${given.trimStart()}x`, wiki.namespaces)
  if (!parsed.ok) return []
  const key = parsed.title.dbkey.slice(0, -1)
  const isNamed = parsed.title.namespace !== 0
  const searched = isNamed ? [parsed.title.namespace] : (namespaces ?? wiki.namespaces.ids())
  const found = searched
    .filter((namespace) => namespace >= 0)
    .flatMap((namespace) => {
      const prefix = wiki.namespaces.raisesFirstLetter(namespace)
        ? key
        : given.trimStart().replaceAll(' ', '_')
      const titles: Title[] = []
      for (const dbkey of context.store.lists.walkTitles(namespace, { prefix, isReverse: false })) {
        if (titles.length === most) break
        titles.push({ namespace, dbkey })
      }
      return titles
    })
  if (searched.length > 1)
    found.sort((one, other) => compareUtf8(one.dbkey, other.dbkey) || one.namespace - other.namespace)
  return found.slice(0, most)
}
