/** Links of pages from imported SQL tables. */
import { FILE, MAIN } from '../../domain/namespaceIds.js'
import { parseTitle, type Title } from '../../domain/title.js'
import type { LinkRules } from '../../wikitext/languageLinks.js'
import { type LinkKind, MAX_TARGETS, type TargetLists, Targets } from '../../wikitext/pageTargets.js'
import type { SqlTable } from '../rows/sqlTableNames.js'
import { type NamedTarget, namedTargetsInRow } from '../sqlTables/linkNames.js'
import { readSqlRow } from '../sqlTables/sqlTables.js'
import { readMeta } from '../tables/meta.js'
import type { Tables } from '../tables/tables.js'

/** The table that states the links of a kind. */
export const TABLES_OF_LINKS = {
  pagelinks: 'link',
  templatelinks: 'template',
  imagelinks: 'file',
  externallinks: 'external',
  iwlinks: 'interwiki',
} as const satisfies Partial<Record<SqlTable, LinkKind>>
type TableOfLinks = keyof typeof TABLES_OF_LINKS

const NAMES = Object.keys(TABLES_OF_LINKS) as readonly TableOfLinks[]

/** The links of a page, of the kinds whose tables have rows for it. Names that are no titles here are left out. */
export function statedLinks(tables: Tables, pageId: number, rules: LinkRules): Partial<TargetLists> {
  const stated: Partial<Record<LinkKind, readonly string[]>> = {}
  // Most wikis have none of the tables.
  if (readMeta(tables, 'sqlTables') === undefined) return stated
  for (const table of NAMES) {
    const row = readSqlRow(tables, table, pageId)
    const found = row && namedTargetsInRow(tables, Buffer.from(row), MAX_TARGETS)
    if (found !== undefined) stated[TABLES_OF_LINKS[table]] = targetsOf(table, found, rules)
  }
  return stated
}

function targetsOf(table: TableOfLinks, found: readonly NamedTarget[], rules: LinkRules): readonly string[] {
  const kind = TABLES_OF_LINKS[table]
  const targets = new Targets(NO_PAGE, rules)
  for (const { namespace, name } of found) {
    if (kind === 'external') targets.addAddress(name)
    else if (kind === 'interwiki') targets.addAway(name)
    else if (kind === 'file') addTitle(targets, kind, { namespace: FILE, dbkey: name }, rules)
    else
      addTitle(targets, kind, namespace === undefined ? splitName(name) : { namespace, dbkey: name }, rules)
  }
  return targets.lists()[kind]
}

const NO_PAGE: Title = { namespace: MAIN, dbkey: '' }

/** In rows without numbers of targets, the number of the namespace and a colon are before the name. */
function splitName(name: string): Title {
  const colon = name.indexOf(':')
  return { namespace: Number(name.slice(0, colon)), dbkey: name.slice(colon + 1) }
}

function addTitle(
  targets: Targets,
  kind: LinkKind,
  { namespace, dbkey }: Title,
  { namespaces }: LinkRules,
): void {
  const parsed = parseTitle(namespaces.keyPrefix(namespace) + dbkey, namespaces)
  if (parsed.ok && parsed.title.namespace === namespace) targets.add(kind, namespace, parsed.title.dbkey)
}
