/**
 * Siteinfo for the engine: namespaces, magic words, interwiki prefixes and tags, in MediaWiki's form. Words and signs
 * come from the table of languages. The package adds English words of extensions, and rules that are the same
 * everywhere. All else comes from the wiki itself.
 */
import { directionOf } from '../../domain/direction.js'
import { EXTENSION_TAGS } from '../../domain/extensionTags.js'
import type { Interwiki } from '../../domain/interwiki.js'
import { Namespaces } from '../../domain/namespaces.js'
import type { Site } from '../../domain/site.js'
import { SpecialPages } from '../../domain/specialPages.js'
import { languageOf } from '../../language/language.js'
import { hasVariants, variantTag } from '../../domain/variants.js'
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
  const base = englishBase(parsoid)
  const namespaces = new Namespaces(site)
  return {
    query: {
      ...pick(base, 'functionhooks', 'variables', 'languages'),
      protocols: site.protocols ?? base.protocols,
      general: generalOf(site, base),
      magicwords: magicWords(parsoid, site.language),
      specialpagealiases: specialPages(base, site),
      extensiontags: extensionTags.filter((name) => hasTag(site, name)).map((name) => `<${name}>`),
      defaultoptions: { thumbsize: THUMB_LIMITS.indexOf(DEFAULT_THUMB) },
      languagevariants: languageVariants(site.language),
      namespaces: namespacesOf(site, namespaces),
      namespacealiases: namespaces.aliases().map(([id, name]) => ({ id, '*': name })),
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
  const { linkTrail, linkPrefix } = languageOf(site.language)
  return {
    ...pick(base.general, 'legaltitlechars', 'galleryoptions'),
    linktrail: linkTrail,
    linkprefix: '',
    linkprefixcharset: linkPrefix ?? '',
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
    ...(hasVariants(site.language) && { langconversion: '' }),
  }
}

/** By language: the markup `-{…}-` is text on other pages, and names variants by codes or by tags of BCP 47. */
function languageVariants(code: string): Record<string, object> {
  if (!hasVariants(code)) return {}
  const { variants, variantFallbacks } = languageOf(code)
  const entries = variants.flatMap((variant) =>
    [variant, variantTag(variant)].map((name) => [name, { fallbacks: variantFallbacks.get(variant) ?? [] }]),
  )
  return { [code]: Object.fromEntries(entries) as object }
}

function englishBase(parsoid: Pick<ParsoidPackage, 'siteinfo'>): Siteinfo {
  return parsoid.siteinfo('enwiki') as Siteinfo
}

/** The language's words, and the English ones, which work everywhere. Without the package, extensions have none. */
export function magicWords(
  parsoid: Pick<ParsoidPackage, 'siteinfo'>,
  language: string,
): readonly SiteinfoWord[] {
  const english = parsoid.siteinfo('enwiki') as Siteinfo | undefined
  const known = new Map((english?.magicwords ?? []).map((word) => [word.name, word]))
  for (const [name, { words, caseSensitive }] of languageOf(language).magicWords) {
    const aliases = [...new Set([...words, ...(known.get(name)?.aliases ?? [])])]
    known.set(name, { name, aliases, ...(caseSensitive && { 'case-sensitive': '' }) })
  }
  return [...known.values()]
}

type SpecialPage = Siteinfo['specialpagealiases'][number]

/** Special pages of the wiki, and further ones of the package with their English names. */
function specialPages(base: Siteinfo | undefined, site: Site): SpecialPage[] {
  const known = new Map((base?.specialpagealiases ?? []).map((page) => [page.realname, page]))
  for (const [realname, names] of SpecialPages.of(site).names) {
    const aliases = [...new Set([...names, ...(known.get(realname)?.aliases ?? [])])]
    known.set(realname, { realname, aliases })
  }
  return [...known.values()]
}

/** The usual names of special pages by all of their names in the wiki and in English, in lower case. */
export function specialPageNames(
  parsoid: Pick<ParsoidPackage, 'siteinfo'>,
  site: Site,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const base = parsoid.siteinfo('enwiki') as Siteinfo | undefined
  for (const { realname, aliases } of specialPages(base, site))
    for (const name of [realname, ...aliases]) names.set(name.toLowerCase(), aliases[0] ?? realname)
  return names
}

function namespacesOf(site: Site, namespaces: Namespaces): Record<string, object> {
  return Object.fromEntries(
    site.namespaces.map(({ id, name, case: titleCase }) => [
      String(id),
      {
        id,
        case: titleCase,
        '*': name,
        ...(id !== 0 && { canonical: namespaces.canonicalName(id) ?? name }),
        ...((namespaces.statedSubpages(id) ?? hasUsualSubpages(id)) && { subpages: '' }),
      },
    ]),
  )
}

const hasUsualSubpages = (id: number): boolean => id > 0 && (id % 2 === 1 || SUBPAGE_NAMESPACES.has(id))

/** Tags of MediaWiki itself. */
const CORE_TAGS: ReadonlySet<string> = new Set(['pre', 'nowiki', 'gallery', 'indicator'])

/** The tags of a wiki whose content is not wikitext for the preprocessor. */
export const extensionTagsOf = (site: Pick<Site, 'extensionTags'>): ReadonlySet<string> =>
  new Set([...EXTENSION_TAGS].filter((name) => hasTag(site, name)))

/** True for a tag that the wiki has, of those that this server knows. */
export const hasTag = ({ extensionTags }: Pick<Site, 'extensionTags'>, name: string): boolean =>
  extensionTags === undefined || CORE_TAGS.has(name) || extensionTags.includes(name)

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
