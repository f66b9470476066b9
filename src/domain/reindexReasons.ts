/** Changes of a wiki's settings that the index does not follow by itself. */
import { Namespaces } from './namespaces.js'
import type { Site } from './site.js'

/**
 * Names of changed settings that words and links in texts depend on. The index has them as they were. A further name of
 * a namespace needs no `reindex`: apply finds the links that begin with it.
 */
export function reindexReasons(before: Site, after: Site): string[] {
  const [old, now] = [new Namespaces(before), new Namespaces(after)]
  const kept = now.ids().filter((id) => old.byId(id) !== undefined)
  const isLost = kept.some((id) => old.foldedNames(id).some((name) => now.idByName(name) !== id))
  const cases = kept.some((id) => old.raisesFirstLetter(id) !== now.raisesFirstLetter(id))
  const subpages = kept.some((id) => old.hasSubpages(id) !== now.hasSubpages(id))
  const isLanguage = before.language !== after.language
  return [
    ...(isLanguage ? ['language'] : []),
    ...(isLost ? ['lost names of namespaces'] : []),
    ...(cases ? ['the case of titles'] : []),
    ...(subpages ? ['subpages'] : []),
  ]
}
