/** Answers of an upstream about itself: names, namespaces, licence, prefixes of other wikis. */
import { type Interwiki, interwikiFault } from '../../domain/interwiki.js'
import { MAX_NAMESPACE } from '../../domain/namespaces.js'
import type { Namespace, Site, TitleCase } from '../../domain/site.js'
import { UpstreamFault } from './faults.js'
import {
  type Fields,
  fieldsOf,
  optionalText,
  requiredList,
  textOf,
  unexpected,
  Unstorable,
  valuesOf,
} from './fields.js'

export interface StatedSite {
  readonly site: Site
  readonly interwiki: readonly Interwiki[]
}

export const SITE_QUERY = {
  meta: 'siteinfo',
  siprop: 'general|namespaces|interwikimap|rightsinfo',
} as const

/** `bots` are those of the store: another request tells them. `omit` names what is left out. */
export function statedSite(query: Fields, bots: readonly string[], omit: (what: string) => void): StatedSite {
  const general = fieldsOf(query['general'], 'general')
  const rights = query['rightsinfo'] === undefined ? {} : fieldsOf(query['rightsinfo'], 'rightsinfo')
  const site: Site = {
    name: textOf(general['sitename'], 'sitename'),
    wikiId: textOf(general['wikiid'], 'wikiid'),
    language: textOf(general['lang'], 'lang'),
    base: webAddress(general['base']),
    case: caseOf(general['case']),
    namespaces: valuesOf(query['namespaces'], 'namespaces').flatMap(namespaceOf),
    license: { url: webAddress(rights['url']), title: optionalText(rights['text'], 'rightstext') ?? '' },
    bots,
  }
  if (site.namespaces.length === 0) throw unexpected('namespaces')
  return {
    site,
    interwiki: requiredList(query['interwikimap'], 'interwikimap').flatMap((row) =>
      knownInterwiki(row, omit),
    ),
  }
}

/** Empty for what is no address: it goes into links. */
function webAddress(value: unknown): string {
  const text = optionalText(value, 'address') ?? ''
  return /^(?:https?:)?\/\/[^\s"'<>\\^`{|}]+$/.test(text) ? text : ''
}

const caseOf = (value: unknown): TitleCase => (value === 'case-sensitive' ? 'case-sensitive' : 'first-letter')

/** Leaves out namespaces whose number no row can hold. */
function namespaceOf(value: unknown): Namespace[] {
  const row = fieldsOf(value, 'namespaces')
  const id = row['id']
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw unexpected('namespaces')
  if (id > MAX_NAMESPACE || id < -2) return []
  return [{ id, name: textOf(row['name'], 'name'), case: caseOf(row['case']) }]
}

/** A strange row spoils no other: a prefix more or less makes no wrong page. */
function knownInterwiki(row: unknown, omit: (what: string) => void): Interwiki[] {
  try {
    return interwikiOf(row)
  } catch (error) {
    if (!(error instanceof UpstreamFault || error instanceof Unstorable)) throw error
    omit(`interwiki prefix ${JSON.stringify(row).slice(0, 200)}`)
    return []
  }
}

/** Leaves out prefixes that links cannot have. Those of languages make language links. */
function interwikiOf(value: unknown): Interwiki[] {
  const row = fieldsOf(value, 'interwikimap')
  const prefix = textOf(row['prefix'], 'prefix').toLowerCase()
  const url = textOf(row['url'], 'url')
  const language = optionalText(row['language'], 'language')
  const interwiki = { prefix, url, ...(language !== undefined && { language }) }
  return interwikiFault(interwiki) === undefined ? [interwiki] : []
}
