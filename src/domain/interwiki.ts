/** Interwiki prefixes: the sites that links such as `[[w:Paris]]` and `[[de:Paris]]` lead to. */
import { MAIN, TALK } from './namespaceIds.js'
import { LANGUAGE_CODES, languageName } from './languageNames.js'
import type { Site } from './site.js'
import type { Title } from './title.js'

export interface Interwiki {
  /** In lower case, without the colon. */
  readonly prefix: string
  /** `$1` marks the place of the title. */
  readonly url: string
  /** The language's own name, when this prefix makes interlanguage links between pages on one subject. */
  readonly language?: string
  /** Stated by the table `interwiki`, where it is not as usual. */
  readonly local?: boolean
}

/** Wikis in other languages usually count as local, since they are of the same family. */
export const isLocalWiki = ({ language, local = language !== undefined }: Interwiki): boolean => local

/** By prefix, in alphabetical order. */
export type InterwikiMap = ReadonlyMap<string, Interwiki>

/** Changes that operators made to the default map. */
export interface InterwikiChanges {
  /** True if the default map is not used at all. */
  readonly only: boolean
  /** By prefix. Null removes the prefix from the map. */
  readonly entries: Readonly<Record<string, Omit<Interwiki, 'prefix'> | null>>
}

export const NO_INTERWIKI_CHANGES: InterwikiChanges = { only: false, entries: {} }

/** Letters and digits of any script, and a few signs. */
const PREFIX = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]{0,31}$/u

/** The prefixes that a new MediaWiki has. */
const COMMON = `
  acronym https://www.acronymfinder.com/~/search/af.aspx?string=exact&Acronym=$1
  advogato http://www.advogato.org/$1
  arxiv https://www.arxiv.org/abs/$1
  c2find http://c2.com/cgi/wiki?FindPage&value=$1
  cache https://www.google.com/search?q=cache:$1
  commons https://commons.wikimedia.org/wiki/$1
  dictionary http://www.dict.org/bin/Dict?Database=*&Form=Dict1&Strategy=*&Query=$1
  doi https://doi.org/$1
  drumcorpswiki http://www.drumcorpswiki.com/$1
  dwjwiki http://www.suberic.net/cgi-bin/dwj/wiki.cgi?$1
  elibre http://enciclopedia.us.es/index.php/$1
  emacswiki https://www.emacswiki.org/emacs/$1
  foldoc https://foldoc.org/?$1
  foxwiki https://fox.wikis.com/wc.dll?Wiki~$1
  freebsdman https://www.FreeBSD.org/cgi/man.cgi?apropos=1&query=$1
  gentoo-wiki http://gentoo-wiki.com/$1
  google https://www.google.com/search?q=$1
  googlegroups https://groups.google.com/groups?q=$1
  hammondwiki http://www.dairiki.org/HammondWiki/$1
  hrwiki http://www.hrwiki.org/wiki/$1
  imdb http://www.imdb.com/find?q=$1&tt=on
  kmwiki https://kmwiki.wikispaces.com/$1
  linuxwiki http://linuxwiki.de/$1
  lojban https://mw.lojban.org/papri/$1
  lqwiki http://wiki.linuxquestions.org/wiki/$1
  meatball http://meatballwiki.org/wiki/$1
  mediawikiwiki https://www.mediawiki.org/wiki/$1
  memoryalpha http://en.memory-alpha.org/wiki/$1
  metawiki http://sunir.org/apps/meta.pl?$1
  metawikimedia https://meta.wikimedia.org/wiki/$1
  mozillawiki https://wiki.mozilla.org/$1
  mw https://www.mediawiki.org/wiki/$1
  oeis https://oeis.org/$1
  openwiki http://openwiki.com/ow.asp?$1
  pmid https://www.ncbi.nlm.nih.gov/pubmed/$1?dopt=Abstract
  pythoninfo https://wiki.python.org/moin/$1
  rfc https://tools.ietf.org/html/rfc$1
  s23wiki http://s23.org/wiki/$1
  seattlewireless http://seattlewireless.net/$1
  senseislibrary https://senseis.xmp.net/?$1
  shoutwiki http://www.shoutwiki.com/wiki/$1
  squeak http://wiki.squeak.org/squeak/$1
  theopedia https://www.theopedia.com/$1
  tmbw http://www.tmbw.net/wiki/$1
  tmnet http://www.technomanifestos.net/?$1
  twiki http://twiki.org/cgi-bin/view/$1
  uncyclopedia https://en.uncyclopedia.co/wiki/$1
  unreal https://wiki.beyondunreal.com/$1
  usemod http://www.usemod.com/cgi-bin/wiki.pl?$1
  wiki http://c2.com/cgi/wiki?$1
  wikia http://www.wikia.com/wiki/$1
  wikif1 http://www.wikif1.org/$1
  wikihow https://www.wikihow.com/$1
  wikimedia https://foundation.wikimedia.org/wiki/$1
  wikinfo http://wikinfo.co/English/index.php/$1
`

/**
 * Short and long prefixes of Wikimedia's projects. Projects with many languages are linked in the wiki's own language.
 */
const PROJECTS: readonly (readonly [project: string, ...prefixes: string[]])[] = [
  ['wikipedia', 'w', 'wikipedia'],
  ['wiktionary', 'wikt', 'wiktionary'],
  ['wikibooks', 'b', 'wikibooks'],
  ['wikinews', 'n', 'wikinews'],
  ['wikiquote', 'q', 'wikiquote'],
  ['wikisource', 's', 'wikisource'],
  ['wikiversity', 'v', 'wikiversity'],
  ['wikivoyage', 'voy', 'wikivoyage'],
]
const SINGLE_PROJECTS: readonly Interwiki[] = [
  { prefix: 'c', url: 'https://commons.wikimedia.org/wiki/$1' },
  { prefix: 'd', url: 'https://www.wikidata.org/wiki/$1' },
  { prefix: 'wikidata', url: 'https://www.wikidata.org/wiki/$1' },
  { prefix: 'm', url: 'https://meta.wikimedia.org/wiki/$1' },
  { prefix: 'meta', url: 'https://meta.wikimedia.org/wiki/$1' },
  { prefix: 'species', url: 'https://species.wikimedia.org/wiki/$1' },
  { prefix: 'wikispecies', url: 'https://species.wikimedia.org/wiki/$1' },
]

/** Host in the base URL of a Wikimedia wiki that exists in many languages: language and project. */
const WIKIMEDIA_HOST = /^(?:https?:)?\/\/([a-z-]+)\.(?:m\.)?(wik[a-z]+)\.org(?:[/:]|$)/

/**
 * MediaWiki's default interwiki map, with a prefix for every language. Language prefixes lead to the wiki's own project
 * if its base URL names one, else to Wikipedia.
 */
export function defaultInterwikiMap(site: Pick<Site, 'base' | 'language'>): Interwiki[] {
  const [, , project = 'wikipedia'] = WIKIMEDIA_HOST.exec(site.base) ?? []
  const own = /^[a-z-]+$/.test(site.language) ? site.language : 'en'
  const map = new Map<string, Interwiki>()
  const add = (interwiki: Interwiki): void => void map.set(interwiki.prefix, interwiki)
  for (const line of COMMON.trim().split('\n')) {
    const [prefix = '', url = ''] = line.trim().split(' ')
    add({ prefix, url })
  }
  for (const [name, ...prefixes] of PROJECTS) {
    for (const prefix of prefixes) add({ prefix, url: `https://${own}.${name}.org/wiki/$1` })
  }
  SINGLE_PROJECTS.forEach(add)
  for (const code of LANGUAGE_CODES) {
    const language = languageName(code) ?? code
    add({ prefix: code, url: `https://${code}.${project}.org/wiki/$1`, language })
  }
  return [...map.values()]
}

/** The map in effect, by prefix. */
export function interwikiMap(
  site: Pick<Site, 'base' | 'language'>,
  { only, entries }: InterwikiChanges,
): InterwikiMap {
  const map = new Map<string, Interwiki>()
  if (!only) for (const interwiki of defaultInterwikiMap(site)) map.set(interwiki.prefix, interwiki)
  for (const [prefix, entry] of Object.entries(entries)) {
    if (entry === null) map.delete(prefix)
    else map.set(prefix, { prefix, ...entry })
  }
  return new Map([...map].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** The changes that give exactly this map. */
export function wholeInterwikiMap(map: readonly Interwiki[]): InterwikiChanges {
  return { only: true, entries: Object.fromEntries(map.map(({ prefix, ...entry }) => [prefix, entry])) }
}

/** Combines earlier changes with later ones. */
export function mergeInterwikiChanges(before: InterwikiChanges, after: InterwikiChanges): InterwikiChanges {
  if (after.only) return after
  return { only: before.only, entries: { ...before.entries, ...after.entries } }
}

/** Reason, in words, why a prefix or its address is invalid; undefined when both are valid. */
export function interwikiFault({ prefix, url }: Interwiki): string | undefined {
  if (!PREFIX.test(prefix) || prefix !== prefix.toLowerCase())
    return `"${prefix}" is no prefix: letters, digits and . _ - in lower case, at most 32`
  if (!/^(?:https?:)?\/\/[^\s"<>\\^`{|}]+$/.test(url) || !url.includes('$1'))
    return `"${url}" is no address of another wiki: it begins with http:, https: or // and has $1 where the title goes`
  return undefined
}

/**
 * Interwiki prefix that a title of this wiki begins with; undefined: none. No page can be created under such a title.
 */
export function interwikiPrefixOf({ namespace, dbkey }: Title, map: InterwikiMap): string | undefined {
  if (namespace !== MAIN && namespace !== TALK) return undefined
  const colon = dbkey.indexOf(':')
  const prefix = dbkey.slice(0, Math.max(colon, 0)).toLowerCase()
  return map.has(prefix) ? prefix : undefined
}
