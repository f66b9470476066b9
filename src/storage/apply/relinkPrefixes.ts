/** Takes in links again whose prefixes mean something else under new settings. */
import { MAIN } from '../../domain/namespaceIds.js'
import { capitalise } from '../../domain/title.js'
import type { LinkRules } from '../../wikitext/languageLinks.js'
import { LinkReader } from '../links/linkReader.js'
import { rulesInForce } from '../links/linkRules.js'
import type { WriteContext } from './writeContext.js'

/** More pages wait for the bulk build. */
const PAGES_AT_ONCE = 1000

/**
 * Finds pages with links whose prefix became that of another wiki or of a namespace, or no longer is one, by their
 * targets. `before` are the rules before the change.
 */
export function relinkPrefixes(context: WriteContext, before: LinkRules): void {
  const { tables, indexing } = context
  const after = rulesInForce(tables)
  if (after === before) return
  const reader = new LinkReader(tables)
  const pageIds = new Set<number>()
  for (const prefix of changedPrefixes(before, after)) {
    const title = capitalise(prefix.replaceAll(' ', '_'), after.namespaces.language)
    const [plain, away] = [`${title}:`, `${prefix}\t`]
    for (const { pageId } of reader.uses('link', MAIN, { from: plain, to: `${plain}\u{10ffff}` }))
      pageIds.add(pageId)
    for (const { pageId } of reader.uses('interwiki', MAIN, { from: away, to: `${away}\u{10ffff}` }))
      pageIds.add(pageId)
  }
  const ordered = [...pageIds].sort((one, other) => one - other)
  for (const pageId of ordered.slice(PAGES_AT_ONCE)) indexing.queue(pageId)
  for (const pageId of ordered.slice(0, PAGES_AT_ONCE)) indexing.relink(pageId)
}

function changedPrefixes(before: LinkRules, after: LinkRules): Set<string> {
  const changed = new Set<string>()
  const compare = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): void => {
    for (const prefix of one.keys()) if (!other.has(prefix)) changed.add(prefix)
  }
  compare(before.interwiki, after.interwiki)
  compare(after.interwiki, before.interwiki)
  for (const id of after.namespaces.ids())
    for (const name of after.namespaces.foldedNames(id))
      if (before.namespaces.idByName(name) !== id) changed.add(name)
  return changed
}
