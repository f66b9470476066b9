/**
 * A wiki's answer to `meta=siteinfo`, checked and in our own words. A followed wiki sends it. `palimpsest site import`
 * reads it from a file, in both versions of the format.
 */
import { type Interwiki, interwikiFault } from '../../domain/interwiki.js'
import { MAX_NAMESPACE, Namespaces } from '../../domain/namespaces.js'
import {
  type Namespace,
  type NamespaceAlias,
  type Site,
  type TitleCase,
  USUAL_PROTOCOLS,
  type WikiRules,
} from '../../domain/site.js'
import { SpecialPages } from '../../domain/specialPages.js'
import { UpstreamFault } from './faults.js'
import {
  type Fields,
  fieldsOf,
  flagOf,
  listOf,
  optionalText,
  requiredList,
  rowsOf,
  textOf,
  unexpected,
  Unstorable,
  valuesOf,
} from './fields.js'

/** Names, namespaces, licence, rules, prefixes of other wikis. */
export interface StatedSite {
  readonly site: Site
  readonly interwiki: readonly Interwiki[]
}

const PARTS = [
  ...['general', 'namespaces', 'namespacealiases', 'interwikimap', 'rightsinfo', 'specialpagealiases'],
  ...['functionhooks', 'extensiontags', 'fileextensions', 'protocols'],
]

export const SITE_QUERY = { meta: 'siteinfo', siprop: PARTS.join('|') } as const

/** All processes read the site again after each of its changes, so it stays small: some times what large wikis have. */
const MOST_ROWS = 2000
const MOST_NAMES = 40
const MOST_LETTERS = 300

/** One of the functions that come and go together. */
const STRING_FUNCTION = 'len'
const FORBIDDEN_IN_NAME = /[\0-\x1f\x7f#<>[\]{}|:\ufffd]/
const TAG = /^<([a-z][^\s/<>]*)>$/
const EXTENSION = /^[a-z0-9]+$/

/**
 * `known` is the site before: its bots stay, since another request tells them, and so do rules that the answer does not
 * state. `omit` names what is left out.
 */
export function statedSite(
  query: Fields,
  known: Partial<Site> & Pick<Site, 'bots'>,
  omit: (what: string) => void,
): StatedSite {
  const general = fieldsOf(query['general'], 'general')
  const rights = query['rightsinfo'] === undefined ? {} : fieldsOf(query['rightsinfo'], 'rightsinfo')
  const named = {
    name: shortText(general['sitename'], 'sitename'),
    wikiId: shortText(general['wikiid'], 'wikiid'),
    language: shortText(general['lang'], 'lang'),
    base: webAddress(general['base']),
    case: caseOf(general['case']),
    namespaces: statedNamespaces(query).flatMap(statedNamespace),
    license: { url: webAddress(rights['url']), title: optionalText(rights['text'], 'rightstext') ?? '' },
  }
  if (named.namespaces.length === 0) throw unexpected('namespaces')
  return {
    site: { ...named, ...statedRules(query, named, known, omit), bots: known.bots },
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

function shortText(value: unknown, what: string): string {
  const text = textOf(value, what)
  if (text.length > MOST_LETTERS) throw unexpected(`${what} is longer than ${MOST_LETTERS} letters`)
  return text
}

// -- Namespaces ---------------------------------------------------------------------------------------------------

const statedNamespaces = (query: Fields): Fields[] =>
  bounded(valuesOf(query['namespaces'], 'namespaces'), 'namespaces').map((row) => fieldsOf(row, 'namespaces'))

/** Leaves out namespaces whose number no row can hold. */
function statedNamespace(row: Fields): Namespace[] {
  const id = numberOf(row)
  if (id > MAX_NAMESPACE || id < -2) return []
  return [{ id, name: shortText(row['name'] ?? row['*'], 'name'), case: caseOf(row['case']) }]
}

function numberOf({ id }: Fields): number {
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw unexpected('namespaces')
  return id
}

/** Undefined where no namespace has them: then the wiki does not say. */
function statedSubpages(query: Fields): WikiRules['subpages'] {
  const rows = statedNamespaces(query)
  if (rows.every(({ subpages }) => subpages === undefined)) return undefined
  return Object.fromEntries(rows.map((row) => [numberOf(row), flagOf(row['subpages'], 'subpages')]))
}

/** Names that no other rule gives. Those that no prefix can be, and those of unknown namespaces, are left out. */
function statedAliases(
  query: Fields,
  site: Pick<Site, 'namespaces' | 'case' | 'language'>,
): NamespaceAlias[] {
  const namespaces = new Namespaces(site)
  const rows = bounded(rowsOf(query['namespacealiases'], 'namespacealiases'), 'namespacealiases')
  const aliases = rows.map((row): NamespaceAlias => {
    const name = shortText(row['alias'] ?? row['*'], 'alias')
    return [name.replaceAll('_', ' ').trim(), numberOf(row)]
  })
  return aliases
    .filter(([name, id]) => namespaces.byId(id) !== undefined && namespaces.idByName(name) !== id)
    .filter(([name]) => name !== '' && !FORBIDDEN_IN_NAME.test(name))
    .sort(([one, first], [other, second]) => first - second || (one < other ? -1 : 1))
}

// -- Rules --------------------------------------------------------------------------------------------------------

type Reader<Rule> = (query: Fields, site: Pick<Site, 'namespaces' | 'case' | 'language'>) => Rule

/** How each rule is read from the part of the answer that has it. */
const RULES: { readonly [Name in keyof WikiRules]: readonly [part: string, read: Reader<WikiRules[Name]>] } =
  {
    aliases: ['namespacealiases', statedAliases],
    subpages: ['namespaces', statedSubpages],
    stringFunctions: [
      'functionhooks',
      ({ functionhooks }) => listOf(functionhooks, 'functionhooks').includes(STRING_FUNCTION),
    ],
    extensionTags: [
      'extensiontags',
      ({ extensiontags }) => names(extensiontags, 'extensiontags').flatMap((tag) => TAG.exec(tag)?.[1] ?? []),
    ],
    protocols: [
      'protocols',
      ({ protocols }) => names(protocols, 'protocols').filter((each) => USUAL_PROTOCOLS.includes(each)),
    ],
    fileExtensions: [
      'fileextensions',
      ({ fileextensions }) => {
        const rows = bounded(rowsOf(fileextensions, 'fileextensions'), 'fileextensions')
        return rows
          .map(({ ext }) => shortText(ext, 'ext').toLowerCase())
          .filter((each) => EXTENSION.test(each))
      },
    ],
    logo: ['general', ({ general }) => webAddress(fieldsOf(general, 'general')['logo'])],
    specialPages: ['specialpagealiases', statedSpecialPages],
  }

/** An odd part spoils no other: the rule stays as it was. */
function statedRules(
  query: Fields,
  site: Pick<Site, 'namespaces' | 'case' | 'language'>,
  known: WikiRules,
  omit: (what: string) => void,
): WikiRules {
  const rules: Record<string, unknown> = {}
  for (const [name, [part, read]] of Object.entries(RULES)) {
    rules[name] = known[name as keyof WikiRules]
    if (query[part] === undefined) continue
    try {
      rules[name] = read(query, site) ?? rules[name]
    } catch (error) {
      if (!(error instanceof UpstreamFault || error instanceof Unstorable)) throw error
      omit(`${part} of siteinfo: ${error.message}`)
    }
  }
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined))
}

function statedSpecialPages(
  { specialpagealiases }: Fields,
  { language }: Pick<Site, 'language'>,
): NonNullable<WikiRules['specialPages']> {
  const known = SpecialPages.of({ language }).names
  const rows = bounded(rowsOf(specialpagealiases, 'specialpagealiases'), 'specialpagealiases')
  const stated = rows.map(({ realname, aliases }) => {
    const all = names(aliases, 'aliases').map((alias) => alias.replaceAll(' ', '_'))
    if (all.length > MOST_NAMES) throw unexpected('aliases')
    return [shortText(realname, 'realname'), all] as const
  })
  const isNew = ([name, all]: readonly [string, readonly string[]]): boolean =>
    all.length > 0 && JSON.stringify(all) !== JSON.stringify(known.get(name))
  return Object.fromEntries(stated.filter(isNew))
}

const names = (value: unknown, what: string): string[] =>
  bounded(listOf(value, what), what).map((each) => shortText(each, what))

function bounded<Item>(list: readonly Item[], what: string): readonly Item[] {
  if (list.length > MOST_ROWS) throw unexpected(`${what} has more than ${MOST_ROWS} rows`)
  return list
}

// -- Other wikis --------------------------------------------------------------------------------------------------

/** A strange row spoils no other: a prefix more or less makes no wrong page. */
function knownInterwiki(row: unknown, omit: (what: string) => void): Interwiki[] {
  try {
    return interwikiOf(row)
  } catch (error) {
    if (!(error instanceof UpstreamFault || error instanceof Unstorable)) throw error
    omit(`interwiki prefix ${shownRow(row)}`)
    return []
  }
}

/** JSON of an odd value. A deep one would exceed the stack. */
function shownRow(row: unknown): string {
  if (Array.isArray(row)) return 'that is a list'
  return JSON.stringify(row, (key, value: unknown) =>
    key !== '' && typeof value === 'object' && value !== null ? '…' : value,
  ).slice(0, 200)
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
