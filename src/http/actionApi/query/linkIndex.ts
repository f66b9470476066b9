/** The index of links for modules of `action=query`, and what their answers say of pages. */
import { parseTitle, type Title } from '../../../domain/title.js'
import type { LinkReader } from '../../../storage/links/linkReader.js'
import type { PageSummary } from '../../../storage/store.js'
import { lasts, SILENT_CHANGE_MS } from '../frame/call.js'
import { ActionError, shown } from '../frame/problems.js'
import type { QueryCall } from './module.js'

/** Rows to read for one answer. Filters that few rows pass take several answers. */
export const MAX_READ = 2000
/** The same for targets of pages, of which one row has very many. */
export const MAX_TARGETS_READ = 20_000

/** Throws an error if pages of an older store have no links yet: an empty list would be wrong. */
export function linkIndex(call: QueryCall): LinkReader {
  // New HTML of a page may bring links that its text does not have, under the same generation of the store.
  lasts(call, SILENT_CHANGE_MS)
  const { pageLinks } = call.context.store
  if (!pageLinks.isComplete()) throw notReady('links of pages')
  return pageLinks
}

export const notReady = (subject: string): ActionError =>
  new ActionError(
    'notready',
    `The index of ${subject} is not complete. The operator of this wiki can make it by "palimpsest reindex".`,
  )

/** Titles of a parameter that chooses among links. Warns of those that are none. */
export function chosenTitles(
  given: readonly string[] | undefined,
  { wiki, warnings, module }: QueryCall,
): Title[] | undefined {
  return given?.flatMap((text) => {
    const parsed = parseTitle(text, wiki.namespaces)
    if (parsed.ok) return [parsed.title]
    warnings.add(module.path, 'invalidtitle', `"${shown(text)}" is not a valid title.`)
    return []
  })
}

export const isRedirect = (page: PageSummary): boolean => page.redirectTarget !== undefined
