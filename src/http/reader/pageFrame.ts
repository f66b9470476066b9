/**
 * Parts around the text of a page. All its views share the tabs and the source. A file stands above its description,
 * the members of a category below it.
 */
import { prefixedKey, type Title } from '../../domain/title.js'
import { encodeTitle, type LinkQuery } from '../../reader/links.js'
import type { ShellView } from '../../reader/parts/shell.js'
import { pageTabs, pageTools, type SelectedTab } from '../../reader/tabs.js'
import type { HttpContext } from '../routing/route.js'
import { shownName, shownTitle } from './variants.js'
import type { Visit } from './visit.js'
import type { Html } from '../../reader/html.js'
import { fileView as fileParts } from '../../reader/article/file.js'
import { fileBody, fileView } from '../views/fileBodies.js'
import { CATEGORY } from '../../domain/namespaceIds.js'
import {
  type CategoryListKind,
  categoryMembers,
  type ListedMember,
  type ListedMembers,
} from '../../reader/views/category.js'
import type { CategoryMember } from '../../storage/categories/categoryReader.js'

/** Of a category. */
const MEMBERS_PER_LIST = 200

/** Parameters of each list, as MediaWiki names them. */
const PARAMETERS = [
  ['subcategory', 'subcatfrom', 'subcatuntil'],
  ['page', 'pagefrom', 'pageuntil'],
  ['file', 'filefrom', 'fileuntil'],
] as const satisfies readonly (readonly [CategoryListKind, string, string])[]

export interface PageFrame {
  /** Reads nothing from the store. */
  readonly view: () => Pick<ShellView, 'tabs' | 'tools' | 'source'>
  /** Whether the page's discussion exists, or the subject of a discussion. */
  readonly otherExists: boolean
  /** Whether the tabs are still right: another page may have come or gone. */
  readonly isCurrent: () => boolean
}

export function pageFrame(
  title: Title,
  selected: SelectedTab,
  { namespaces, site }: Pick<Visit, 'namespaces' | 'site'>,
  { pages }: Pick<HttpContext, 'pages'>,
  exists = pages.find(title) !== undefined,
): PageFrame {
  const other: Title = { ...title, namespace: title.namespace ^ 1 }
  const otherExists = (): boolean => pages.find(other) !== undefined
  const hadOther = otherExists()
  const facts = { site, title, selected, exists, otherExists: hadOther }
  return {
    view: () => ({
      tabs: pageTabs(facts, namespaces),
      ...(exists && { tools: pageTools(site, prefixedKey(title, namespaces)) }),
      ...(site.upstream !== undefined && {
        source: site.upstream + encodeTitle(prefixedKey(title, namespaces)),
      }),
    }),
    otherExists: hadOther,
    isCurrent: () => otherExists() === hadOther,
  }
}

/**
 * The picture of a file, its facts, and the original. Undefined if there is no such file, or only its name is known.
 * Addresses are paths, so that they suit any host.
 */
export function fileAbove(
  { dbkey }: Title,
  { wiki, site }: Visit,
  { store, config }: HttpContext,
): Html | undefined {
  const view = fileView(config, config.publicUrl || config.basePath, wiki)
  const file = store.findFile(dbkey)
  if (file === undefined || !view.urls.canShow(file.facts)) return undefined
  const { preferred, original, latest } = fileBody(file.dbkey, file.facts, view)
  return fileParts({
    formats: site.formats,
    name: file.dbkey.replaceAll('_', ' '),
    mimeType: file.facts.mimeType,
    sizeBytes: file.facts.sizeBytes,
    picture: preferred,
    original,
    uploader: latest.user?.name,
    time: file.facts.timestamp,
  })
}

interface MembersBelow {
  readonly html: Html
  /** Parameters of the request that choose a part of a list. */
  readonly query: LinkQuery
  readonly isCurrent: () => boolean
}

/** The lists of a category; undefined for other pages, and for a category without members if it has no page either. */
export function membersBelow(title: Title, visit: Visit, { store }: HttpContext): MembersBelow | undefined {
  const { categories } = store
  if (title.namespace !== CATEGORY) return undefined
  const isCurrent = categories.watch()
  const counts = categories.counts(title.dbkey)
  const chosen = chosenParts(visit.query)
  const lists = PARAMETERS.map(([kind, fromName, untilName]): ListedMembers => {
    const query = { from: chosen[fromName], until: chosen[untilName], limit: MEMBERS_PER_LIST }
    const { members, previousUntil, nextFrom } = categories.listMembers(title.dbkey, kind, query)
    // The other lists stay where they are.
    const { [fromName]: _from, [untilName]: _until, ...others } = chosen
    return {
      kind,
      count: counts[kind],
      members: members.map((member) => listed(member, kind, visit, store.categories)),
      previous: previousUntil === undefined ? undefined : { ...others, [untilName]: previousUntil },
      next: nextFrom === undefined ? undefined : { ...others, [fromName]: nextFrom },
    }
  })
  const key = prefixedKey(title, visit.namespaces)
  return { html: categoryMembers(key, lists, visit.links), query: chosen, isCurrent }
}

/** Whether a category has members. It then has a page for readers, even if nobody wrote one. */
export function hasMembers({ namespace, dbkey }: Title, { store }: HttpContext): boolean {
  const { subcategory, page, file } = store.categories.counts(dbkey)
  return namespace === CATEGORY && subcategory + page + file > 0
}

function chosenParts(query: URLSearchParams): Record<string, string> {
  const names = PARAMETERS.flatMap(([, from, until]) => [from, until])
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

function listed(
  member: CategoryMember,
  kind: CategoryListKind,
  visit: Visit,
  categories: HttpContext['store']['categories'],
): ListedMember {
  const letter = String.fromCodePoint(member.sortKey.codePointAt(0) ?? 0x20)
  const shown = {
    key: prefixedKey(member, visit.namespaces),
    name: kind === 'page' ? shownTitle(member, visit) : shownName(member.dbkey.replaceAll('_', ' '), visit),
    letter: shownName(letter, visit),
  }
  if (kind !== 'subcategory') return shown
  const { subcategory, page, file } = categories.counts(member.dbkey)
  return { ...shown, members: subcategory + page + file }
}
