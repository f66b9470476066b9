/**
 * What the engine is told of the wiki: namespaces, words, prefixes, tags, in the form of MediaWiki's siteinfo. Words
 * and signs of languages come from the package, which has them for some Wikipedias; all else from the wiki itself.
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

/** Of a siteinfo of format version 1, what is used or passed on. */
interface Siteinfo {
  readonly general: Readonly<Record<string, unknown>>
  readonly magicwords: readonly SiteinfoWord[]
  readonly functionhooks: readonly string[]
  readonly variables: readonly string[]
  readonly specialpagealiases: readonly unknown[]
  readonly protocols: readonly string[]
  readonly languages: readonly unknown[]
  readonly defaultoptions: Readonly<Record<string, unknown>>
}

/** Thumbnail widths that users of MediaWiki may choose from, and the one for all who did not. */
const THUMB_LIMITS = [120, 150, 180, 200, 250, 300]
const DEFAULT_THUMB = 300

/** Sub pages exist in talk namespaces, and in these. */
const SUBPAGE_NAMESPACES: ReadonlySet<number> = new Set([2, 4, 8, 10, 12, 828])
const MAIN_PAGE = 'Main Page'

/** The wiki's own server and the path of its articles, out of the URL of its main page. */
export interface WikiAddress {
  /** `https://gd.wikipedia.org`. */
  readonly server: string
  /** `/wiki/$1`. */
  readonly articlePath: string
  readonly mainPage: string
}

/** Reads the site's base URL; a wiki without one is given a name that no network knows. */
export function wikiAddress({ base }: Pick<Site, 'base'>): WikiAddress {
  const [, server, path = '/wiki/', page = ''] =
    /^((?:https?:)?\/\/[^/?#]+)(\/(?:[^?#]*\/)?)?([^/?#]*)/.exec(base) ?? []
  return {
    server: server ?? 'http://wiki.invalid',
    articlePath: `${path}$1`,
    mainPage: decodeName(page) || MAIN_PAGE,
  }
}

/** The answer to the engine's request for siteinfo. `extensionTags` are those that are no wikitext of the core. */
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

/** The wiki's name, address and rules. */
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

/** The language's words and the English ones, which are understood everywhere; none where the package is missing. */
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

/** Names that are understood on every wiki. */
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
