/** MediaWiki names the project namespace after the wiki, as in `Mywiki:About` and `Mywiki talk:About`. */
import { MAIN, PROJECT, PROJECT_TALK } from './namespaceIds.js'
import { Namespaces } from './namespaces.js'
import type { Site } from './site.js'
import { parseTitle } from './title.js'

const BLANKS = /[ _]+/g

/**
 * The site with its project namespaces named after it. A site name that cannot name a namespace changes nothing.
 * `Project` always works as well, since it is the canonical name.
 */
export function withProjectNamedAfterSite(site: Site): Site {
  const name = site.name.normalize('NFC').replace(BLANKS, ' ').trim()
  const names = new Map([
    [PROJECT, name],
    [PROJECT_TALK, `${name} talk`],
  ])
  const own = new Namespaces(site)
  if (!isTitle(name, own)) return site
  const renamed: Site = {
    ...site,
    namespaces: site.namespaces.map((each) => ({ ...each, name: names.get(each.id) ?? each.name })),
  }
  const after = new Namespaces(renamed)
  const isFound = [...names].every(([id, text]) => isFree(id, text, own) && leadsTo(id, text, after))
  return isFound ? renamed : site
}

/** A namespace name may contain the same characters as a page title. */
function isTitle(name: string, namespaces: Namespaces): boolean {
  const parsed = parseTitle(name, namespaces)
  return parsed.ok && parsed.title.namespace === MAIN && parsed.fragment === ''
}

function isFree(id: number, name: string, namespaces: Namespaces): boolean {
  const known = namespaces.idByName(name)
  return known === undefined || known === id
}

/** True if a title with this name as its prefix belongs to the namespace. */
function leadsTo(id: number, name: string, namespaces: Namespaces): boolean {
  const parsed = parseTitle(`${name}:X`, namespaces)
  return parsed.ok && parsed.title.namespace === id && parsed.title.dbkey === 'X'
}
