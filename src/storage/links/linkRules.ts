/** The settings of the wiki that decide the meaning of a link, made once for all transactions that share them. */
import { interwikiMap } from '../../domain/interwiki.js'
import { Namespaces } from '../../domain/namespaces.js'
import { type LinkRules, linkRules } from '../../wikitext/languageLinks.js'
import { readInterwikiChanges, readSite } from '../tables/meta.js'
import type { Tables } from '../tables/tables.js'

/** Rows of `meta` that have these settings. */
const ROWS = ['dumpSite', 'siteSettings', 'interwiki', 'upstreamInterwiki']

interface KnownRules {
  readonly rows: readonly (Buffer | undefined)[]
  readonly rules: LinkRules
}

/** The map of a new wiki has some 500 entries, which takes longer to make than an edit. */
const KNOWN = new WeakMap<Tables, KnownRules>()

/** The rules in force in the present transaction or snapshot. */
export function rulesInForce(tables: Tables): LinkRules {
  const rows = ROWS.map((name) => tables.meta.getBinary(name))
  const known = KNOWN.get(tables)
  if (known !== undefined && rows.every((row, n) => isSame(row, known.rows[n]))) return known.rules
  const site = readSite(tables)
  const interwiki = interwikiMap(site, readInterwikiChanges(tables))
  const rules = linkRules({ namespaces: new Namespaces(site), interwiki, language: site.language })
  KNOWN.set(tables, { rows, rules })
  return rules
}

const isSame = (one: Buffer | undefined, other: Buffer | undefined): boolean =>
  one === undefined || other === undefined ? one === other : one.equals(other)
