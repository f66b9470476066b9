/** `Special:Search`: results of a search, or straight to the page that has the title. */
import { interwikiPrefixOf } from '../../../domain/interwiki.js'
import { parseTitle, prefixedKey, type Title } from '../../../domain/title.js'
import { wordOf } from '../../../reader/messages.js'
import {
  type NamedPage,
  type SearchArea,
  searchPage,
  type SearchResult,
} from '../../../reader/views/search.js'
import type { MatchSection } from '../../../workers/compute/matchSections.js'
import { PoolFullError, TaskTimeoutError } from '../../../workers/hosting/poolErrors.js'
import type { Reply } from '../../reply/reply.js'
import type { HttpContext } from '../../routing/route.js'
import { searchPages } from '../../views/searching.js'
import { leadTo } from '../pageReply.js'
import { namespaceChoices } from './lists.js'
import { typedIn } from './special.js'
import { keyInVariant, shownName, shownText, shownTitle } from '../variants.js'
import { numberOf, type Visit, type VisitHandler } from '../visit.js'
import { sharedReply, specialShell } from './viewReply.js'

const RESULTS_PER_PAGE = 20
/** A reader who has not found a page among so many needs other words. */
const MAX_RESULTS = 500
const MAX_QUERY_LENGTH = 255
/** Such a query names no page. */
const IN_CATEGORY = /(?:^|\s)-?incategory:/i

/** As the API sends them. */
interface WireResult extends Omit<SearchResult, 'matchedTitle' | 'section'> {
  readonly id: number
  readonly matched_title: string | null
}

interface WireAnswer {
  readonly pages: readonly WireResult[]
  readonly suggestion?: string
}

/** With `go`, as the search box sends it, an exact title leads straight to its page. */
export const showSearch: VisitHandler = (visit, context) => {
  const { query, target, links } = visit
  const words = (query.get('search') ?? target).slice(0, MAX_QUERY_LENGTH).toWellFormed().trim()
  const area = areaOf(visit)
  if (words === '' && area.category === '')
    return answer(visit, context, { words, area, offset: 0, results: [] })
  const named = words === '' || IN_CATEGORY.test(words) ? undefined : titleOf(words, visit, context)
  if (query.has('go') && named?.isPlace === true) return leadTo(links.page(named.key))
  if (query.has('go') && named !== undefined && visit.wiki.variants !== undefined)
    return keyInVariant(named.at, visit, context).then((key) =>
      key === undefined ? results({ words, area, named }, visit, context) : leadTo(links.page(key)),
    )
  return results({ words, area, named }, visit, context)
}

/** Where a search looks: `ids` is undefined for the usual namespaces. */
interface Area extends SearchArea {
  readonly ids: readonly number[] | undefined
}

/** The choice of the form. Addresses of MediaWiki have `profile=all`, or `ns0=1&ns4=1`. */
function areaOf(visit: Visit): Area {
  const category = typedIn(visit, 'category')
  const { inAddress, ...area } = namespacesOf(visit)
  return { ...area, category, inAddress: { ...inAddress, category: category || undefined } }
}

function namespacesOf({ query, namespaces }: Visit): Omit<Area, 'category'> {
  const choices = namespaceChoices(namespaces)
  const known = choices.map(({ id }) => id)
  const asked = query.get('namespace')
  if (asked === 'all' || query.get('profile') === 'all')
    return { namespaces: choices, ids: known, chosen: 'all', inAddress: { namespace: 'all' } }
  const ids = known.filter((id) => asked === String(id) || query.has(`ns${id}`))
  const chosen = ids.length === 1 ? ids[0] : undefined
  const inAddress =
    chosen === undefined ? Object.fromEntries(ids.map((id) => [`ns${id}`, 1])) : { namespace: chosen }
  return { namespaces: choices, ids: ids.length === 0 ? undefined : ids, chosen, inAddress }
}

type Asked = Pick<Found, 'words' | 'area' | 'named'>

function results({ words, area, named }: Asked, visit: Visit, context: HttpContext): Reply | Promise<Reply> {
  const { query, request } = visit
  const offset = Math.min(numberOf(query, 'offset') ?? 0, MAX_RESULTS - RESULTS_PER_PAGE)
  const limit = Math.min(RESULTS_PER_PAGE + 1, MAX_RESULTS - offset)
  const namespaces = area.ids ?? context.config.searchNamespaces
  const categories = area.category === '' ? [] : [area.category]
  const search = { text: words, limit, offset, namespaces, categories }
  const found = searchPages(search, request.baseUrl(), context)
  const reply = (json: Uint8Array): Reply | Promise<Reply> => {
    const { pages, suggestion } = JSON.parse(Buffer.from(json).toString()) as WireAnswer
    const found = { words, area, offset, named, suggestion }
    return withSections(pages, context, (sections) => {
      const results = pages.map((page, n) => shownResult(page, sections[n], visit))
      return answer(visit, context, { ...found, results })
    })
  }
  return found instanceof Promise ? found.then(reply) : reply(found)
}

function shownResult(
  { matched_title: matchedTitle, title, excerpt, description, ...page }: WireResult,
  section: MatchSection | undefined,
  visit: Visit,
): SearchResult {
  return {
    ...page,
    title: shownName(title, visit),
    matchedTitle: matchedTitle && shownName(matchedTitle, visit),
    excerpt: shownText(excerpt, visit),
    description: description && shownText(description, visit),
    section: section && { ...section, heading: shownText(section.heading, visit) },
  }
}

/** Finds the sections of the shown results. If no thread is free, the results come without them. */
function withSections(
  pages: readonly WireResult[],
  { pool }: HttpContext,
  reply: (sections: readonly (MatchSection | undefined)[]) => Reply,
): Reply | Promise<Reply> {
  const matches = pages.slice(0, RESULTS_PER_PAGE).map(({ id, excerpt }) => ({ pageId: id, excerpt }))
  if (matches.length === 0) return reply([])
  return pool.run('matchSections', { matches }).then(reply, (error: unknown) => {
    if (error instanceof PoolFullError || error instanceof TaskTimeoutError) return reply([])
    throw error
  })
}

interface NamedPlace extends NamedPage {
  /** A page that exists, or a special page. */
  readonly isPlace: boolean
  readonly at: Title
}

/** The page that the words name; undefined if no page of this wiki can have that title. */
function titleOf(words: string, visit: Visit, context: HttpContext): NamedPlace | undefined {
  const { namespaces, site } = visit
  const parsed = parseTitle(words, namespaces)
  if (!parsed.ok) return undefined
  const { title } = parsed
  if (interwikiPrefixOf(title, context.store.interwiki()) !== undefined) return undefined
  const exists = context.pages.find(title) !== undefined
  return {
    key: prefixedKey(title, namespaces),
    title: shownTitle(title, visit),
    exists,
    mayCreate: site.allowsEdits && isOfPages(title),
    isPlace: exists || !isOfPages(title),
    at: title,
  }
}

const isOfPages = ({ namespace }: Title): boolean => namespace >= 0

interface Found {
  readonly words: string
  readonly area: Area
  readonly offset: number
  /** One more than a page shows, if there are more. */
  readonly results: readonly SearchResult[]
  readonly named?: NamedPlace | undefined
  readonly suggestion?: string | undefined
}

function answer(visit: Visit, { readerSites }: HttpContext, found: Found): Reply {
  const { words, area, offset, named, suggestion } = found
  const results = found.results.slice(0, RESULTS_PER_PAGE)
  const isAtEnd = offset + results.length >= MAX_RESULTS
  const content = searchPage({
    links: visit.links,
    area,
    query: words,
    results,
    offset,
    limit: RESULTS_PER_PAGE,
    hasMore: found.results.length > RESULTS_PER_PAGE,
    suggestion,
    maxResults: isAtEnd ? MAX_RESULTS : undefined,
    named: named && (named.exists || named.mayCreate || !named.isPlace) ? named : undefined,
  })
  const path = visit.links.special('Search', {
    search: words || undefined,
    ...area.inAddress,
    offset: offset || undefined,
  })
  const sought = words === '' ? area.category : words
  const heading =
    sought === '' ? wordOf(visit.site, 'search-heading') : wordOf(visit.site, 'search-for', sought)
  const view = { ...specialShell(visit, heading, path), query: words }
  return sharedReply(visit, view, [content], { mediaOrigins: readerSites.mediaOrigins })
}
