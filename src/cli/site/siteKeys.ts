/** Settings of the site as text: the keys of `palimpsest site`. */
import type { NamespaceAlias, Site } from '../../domain/site.js'
import { CommandError } from '../commandError.js'

export interface SiteKey {
  readonly help: string
  readonly get: (site: Site) => string
  /** Undefined: `site import` alone changes it. */
  readonly set?: (site: Site, value: string) => Partial<Site>
  /** One of `WikiRules`, which a cluster of older programs does not know. */
  readonly isRule?: true
}

/** The keys of `site show`; all values are text on the command line. */
export const SITE_KEYS: Record<string, SiteKey> = {
  name: {
    help: 'name of the wiki',
    get: (site) => site.name,
    set: (_site, name) => ({ name }),
  },
  language: {
    help: 'code of the language that the wiki is written in',
    get: (site) => site.language,
    set: (_site, language) => ({ language }),
  },
  wikiId: {
    help: 'database name, such as enwiki; no dump of another one is read',
    get: (site) => site.wikiId,
    set: (_site, wikiId) => ({ wikiId }),
  },
  base: {
    help: 'URL of the main page of the wiki that is mirrored',
    get: (site) => site.base,
    set: (_site, base) => ({ base }),
  },
  licenseUrl: {
    help: 'URL of the licence of the texts',
    get: (site) => site.license.url,
    set: (site, url) => ({ license: { ...site.license, url } }),
  },
  licenseTitle: {
    help: 'name of the licence of the texts',
    get: (site) => site.license.title,
    set: (site, title) => ({ license: { ...site.license, title } }),
  },
  bots: {
    help: 'names of users whose edits are a bot\'s, separated by "|"',
    get: (site) => site.bots.join('|'),
    set: (_site, names) => ({
      bots: [...new Set(names.split('|').map((name) => name.trim()))].filter(Boolean).sort(),
    }),
  },
  aliases: {
    help: 'further names of namespaces, such as "WP=4|WT=5"',
    get: ({ aliases = [] }) => aliases.map(([name, id]) => `${name}=${id}`).join('|'),
    set: (site, value) => ({ aliases: itemsOf(value).map((item) => aliasOf(item, site)) }),
    isRule: true,
  },
  subpages: {
    help: 'namespaces whose titles have subpages: "0|1|2"',
    get: ({ subpages = {} }) =>
      Object.entries(subpages)
        .flatMap(([id, has]) => (has ? [id] : []))
        .join('|'),
    set: ({ namespaces }, value) => {
      const chosen = itemsOf(value).map(numberOf)
      return { subpages: Object.fromEntries(namespaces.map(({ id }) => [id, chosen.includes(id)])) }
    },
    isRule: true,
  },
  stringFunctions: {
    help: 'yes: templates may call #len, #pos, #sub, …',
    get: ({ stringFunctions = false }) => yesOrNo(stringFunctions),
    set: (_site, value) => ({ stringFunctions: isYes(value) }),
    isRule: true,
  },
  localDigits: {
    help: 'no: all numbers have the digits 0 to 9',
    get: ({ localDigits = true }) => yesOrNo(localDigits),
    set: (_site, value) => ({ localDigits: isYes(value) }),
    isRule: true,
  },
  case: { help: 'case of the first letter of titles', get: (site) => site.case },
  namespaces: {
    help: 'namespaces with their numbers',
    get: ({ namespaces }) => namespaces.map(({ id, name }) => `${name}=${id}`).join('|'),
  },
  extensionTags: listKey('tags of extensions', 'extensionTags'),
  protocols: listKey('beginnings of addresses in links', 'protocols'),
  fileExtensions: listKey('endings of names of files', 'fileExtensions'),
  logo: { help: 'URL of a picture', get: ({ logo = '' }) => logo },
  specialPages: {
    help: 'names of special pages that are not those of the language',
    get: ({ specialPages = {} }) =>
      Object.entries(specialPages)
        .map(([page, [name = '']]) => `${page}=${name}`)
        .join('|'),
  },
}

function listKey(help: string, name: 'extensionTags' | 'protocols' | 'fileExtensions'): SiteKey {
  return { help, get: (site) => (site[name] ?? []).join('|') }
}

const itemsOf = (value: string): string[] =>
  value
    .split('|')
    .map((item) => item.trim())
    .filter(Boolean)

function numberOf(text: string): number {
  if (!/^-?\d{1,5}$/.test(text)) throw new CommandError(`"${text}" is no number of a namespace`)
  return Number(text)
}

function aliasOf(item: string, { namespaces }: Site): NamespaceAlias {
  const [, name = '', number = ''] = /^([^#<>[\]{}|:=]+)=(-?\d+)$/.exec(item) ?? []
  const id = numberOf(number)
  if (!namespaces.some((each) => each.id === id)) throw new CommandError(`the wiki has no namespace ${id}`)
  return [name.replaceAll('_', ' ').trim(), id]
}

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

function isYes(value: string): boolean {
  if (value !== 'yes' && value !== 'no') throw new CommandError(`"${value}" is neither "yes" nor "no"`)
  return value === 'yes'
}
