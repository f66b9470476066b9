/**
 * Siteinfo for the engine: namespaces, magic words, interwiki prefixes and tags, in MediaWiki's form. Words and signs
 * of languages come from the package, which has them for some Wikipedias. All else comes from the wiki itself.
 */
import { directionOf } from '../../domain/direction.js'
import type { Interwiki } from '../../domain/interwiki.js'
import { DEFAULT_SITE, type Site } from '../../domain/site.js'
import type { ParsoidPackage } from './package.js'

/** The wiki as the engine sees it. */
export interface RenderedWiki {
  readonly site: Site
  readonly interwiki: readonly Interwiki[]
}

export interface SiteinfoWord {
  readonly name: string
  readonly aliases: readonly string[]
  readonly 'case-sensitive'?: string
}

/** The parts in use of siteinfo, format version 1. */
interface Siteinfo {
  readonly general: Readonly<Record<string, unknown>>
  readonly magicwords: readonly SiteinfoWord[]
  readonly functionhooks: readonly string[]
  readonly variables: readonly string[]
  readonly specialpagealiases: readonly { readonly realname: string; readonly aliases: readonly string[] }[]
  readonly protocols: readonly string[]
  readonly languages: readonly unknown[]
  readonly defaultoptions: Readonly<Record<string, unknown>>
}

/** Thumbnail widths that MediaWiki offers to users, and the default. */
const THUMB_LIMITS = [120, 150, 180, 200, 250, 300]
const DEFAULT_THUMB = 300

/** Namespaces with sub pages, in addition to talk namespaces. */
const SUBPAGE_NAMESPACES: ReadonlySet<number> = new Set([2, 4, 8, 10, 12, 828])
const MAIN_PAGE = 'Main Page'

/** The wiki's server and article path, from the URL of its main page. */
export interface WikiAddress {
  /** Such as `https://gd.wikipedia.org`. */
  readonly server: string
  /** Such as `/wiki/$1`. */
  readonly articlePath: string
  readonly mainPage: string
}

/** Parses the site's base URL. A wiki without one gets a host name that cannot exist. */
export function wikiAddress({ base }: Pick<Site, 'base'>): WikiAddress {
  const [, server, path = '/wiki/', page = ''] =
    /^((?:https?:)?\/\/[^/?#]+)(\/(?:[^?#]*\/)?)?([^/?#]*)/.exec(base) ?? []
  return {
    server: server ?? 'http://wiki.invalid',
    articlePath: `${path}$1`,
    mainPage: decodeName(page) || MAIN_PAGE,
  }
}

/** The answer to the engine's request for siteinfo. `extensionTags` are all tags outside of core wikitext. */
export function siteinfo(
  parsoid: Pick<ParsoidPackage, 'siteinfo'>,
  { site, interwiki }: RenderedWiki,
  extensionTags: readonly string[],
): { readonly query: object } {
  const base = languageBase(parsoid, site.language)
  return {
    query: {
      ...pick(base, 'functionhooks', 'variables', 'specialpagealiases', 'protocols', 'languages'),
      general: generalOf(site, base),
      magicwords: magicWords(parsoid, site.language),
      extensiontags: extensionTags.map((name) => `<${name}>`),
      defaultoptions: { thumbsize: THUMB_LIMITS.indexOf(DEFAULT_THUMB) },
      languagevariants: {},
      namespaces: namespacesOf(site),
      namespacealiases: [
        { id: 6, '*': 'Image' },
        { id: 7, '*': 'Image talk' },
      ],
      interwikimap: interwiki.map(({ prefix, url, language }) => ({
        prefix,
        url,
        ...(language !== undefined && { language }),
      })),
    },
  }
}

/** The wiki's name, addresses and rules. */
function generalOf(site: Site, base: Siteinfo): object {
  const { server, articlePath, mainPage } = wikiAddress(site)
  return {
    ...pick(
      base.general,
      'linktrail',
      'linkprefix',
      'linkprefixcharset',
      'legaltitlechars',
      'galleryoptions',
    ),
    generator: 'MediaWiki 1.39.0',
    sitename: site.name,
    mainpage: mainPage,
    lang: site.language,
    ...(directionOf(site.language) === 'rtl' && { rtl: '' }),
    case: site.case,
    server,
    articlepath: articlePath,
    scriptpath: '',
    script: '/index.php',
    wikiid: site.wikiId,
    thumblimits: THUMB_LIMITS,
    interwikimagic: '',
    citeresponsivereferences: '',
  }
}

function languageBase(parsoid: Pick<ParsoidPackage, 'siteinfo'>, language: string): Siteinfo {
  return (parsoid.siteinfo(`${language}wiki`) ?? parsoid.siteinfo('enwiki')) as Siteinfo
}

/** The language's words, and the English ones, which work everywhere. Empty when the package is not installed. */
export function magicWords(
  parsoid: Pick<ParsoidPackage, 'siteinfo'>,
  language: string,
): readonly SiteinfoWord[] {
  const english = parsoid.siteinfo('enwiki') as Siteinfo | undefined
  if (english === undefined) return []
  const base = languageBase(parsoid, language)
  if (base.general === english.general) return base.magicwords
  const known = new Map(base.magicwords.map((word) => [word.name, word]))
  for (const word of english.magicwords) {
    const own = known.get(word.name)
    const aliases = [...new Set([...(own?.aliases ?? []), ...word.aliases])]
    known.set(word.name, { ...word, ...own, aliases })
  }
  return [...known.values()]
}

/** Names of special pages in the language and in English, in lower case. Empty when the package is not installed. */
export function specialPageNames(
  parsoid: Pick<ParsoidPackage, 'siteinfo'>,
  language: string,
): ReadonlySet<string> {
  const english = parsoid.siteinfo('enwiki') as Siteinfo | undefined
  if (english === undefined) return new Set()
  const pages = [...english.specialpagealiases, ...languageBase(parsoid, language).specialpagealiases]
  return new Set(
    pages.flatMap(({ realname, aliases }) => [realname, ...aliases]).map((name) => name.toLowerCase()),
  )
}

function namespacesOf(site: Site): Record<string, object> {
  return Object.fromEntries(
    site.namespaces.map(({ id, name, case: titleCase }) => [
      String(id),
      {
        id,
        case: titleCase,
        '*': name,
        ...(id !== 0 && { canonical: CANONICAL.get(id) ?? name }),
        ...((id % 2 === 1 || SUBPAGE_NAMESPACES.has(id)) && id > 0 && { subpages: '' }),
      },
    ]),
  )
}

/** Namespace names that every wiki understands. */
const CANONICAL: ReadonlyMap<number, string> = new Map(
  DEFAULT_SITE.namespaces.map(({ id, name }) => [id, name]),
)

function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  ...names: Name[]
): Partial<Source> {
  const found = names.filter((name) => source[name] !== undefined).map((name) => [name, source[name]])
  return Object.fromEntries(found) as Partial<Source>
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('_', ' ')
  } catch {
    return ''
  }
}
