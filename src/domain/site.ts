/** Site settings of a wiki: names, namespaces, licence and bot accounts. */
import {
  CATEGORY,
  CATEGORY_TALK,
  FILE,
  FILE_TALK,
  HELP,
  HELP_TALK,
  MAIN,
  MEDIA,
  MEDIAWIKI,
  MEDIAWIKI_TALK,
  MODULE,
  MODULE_TALK,
  PROJECT,
  PROJECT_TALK,
  SPECIAL,
  TALK,
  TEMPLATE,
  TEMPLATE_TALK,
  USER,
  USER_TALK,
} from './namespaceIds.js'

export interface Namespace {
  readonly id: number
  /** Local name with spaces, empty for the main namespace. */
  readonly name: string
  /** `first-letter` capitalises the first letter of a title, `case-sensitive` keeps it. */
  readonly case: TitleCase
}

export type TitleCase = 'first-letter' | 'case-sensitive'

export interface License {
  readonly url: string
  readonly title: string
}

/** Settings that no dump has: the wiki's own siteinfo, an operator or `wikimediaSettings` tells them. */
export interface WikiRules {
  /** Further names of namespaces with their numbers, such as `WP`, beside those of the language. */
  readonly aliases?: readonly NamespaceAlias[]
  /** True for namespaces whose titles have subpages, by number. Absent: as on most wikis. */
  readonly subpages?: Readonly<Record<number, boolean>>
  /** Templates may call `#len`, `#pos` and similar functions. Absent: they may not. */
  readonly stringFunctions?: boolean
  /** False: numbers have the digits 0 to 9, whatever the language writes. */
  readonly localDigits?: boolean
  /** Names of the tags of extensions, in lower case. Absent: all that this server knows. */
  readonly extensionTags?: readonly string[]
  /** Beginnings of addresses that links may have, such as `https://`. */
  readonly protocols?: readonly string[]
  readonly fileExtensions?: readonly string[]
  /** URL of a picture; empty without one. */
  readonly logo?: string
  /** Names of special pages by MediaWiki's names for them, where they differ from those of the language. */
  readonly specialPages?: Readonly<Record<string, readonly string[]>>
}

/** Beginnings of addresses in links, as a new MediaWiki allows them. A wiki may allow fewer here, and no others. */
export const USUAL_PROTOCOLS: readonly string[] =
  'bitcoin: ftp:// ftps:// geo: git:// gopher:// http:// https:// irc:// ircs:// magnet: mailto: matrix: mms:// news: nntp:// redis:// sftp:// sip: sips: sms: ssh:// svn:// tel: telnet:// urn: worldwind:// xmpp: //'.split(
    ' ',
  )

export type NamespaceAlias = readonly [name: string, id: number]

/** Site settings as stored: from the dump's siteinfo until `palimpsest site set` says otherwise. */
export interface Site extends WikiRules {
  /** Name of the wiki in reading form, such as `Uicipeid`. */
  readonly name: string
  /** Database name, such as `gdwiki`; empty when the dump does not say. */
  readonly wikiId: string
  /** Content language code, such as `gd`. */
  readonly language: string
  /** URL of the main page as the dump gives it, or empty. */
  readonly base: string
  readonly case: TitleCase
  readonly namespaces: readonly Namespace[]
  readonly license: License
  /** User names whose edits count as made by a bot. */
  readonly bots: readonly string[]
  /** Version of the interwiki map, which has a row of its own. Absent: the default map applies. */
  readonly interwiki?: string
  /** The site was made from a snapshot of rendered pages, which does not describe it. A dump replaces it. */
  readonly isSnapshot?: true
}

const DEFAULT_NAMESPACES: readonly [id: number, name: string][] = [
  [MEDIA, 'Media'],
  [SPECIAL, 'Special'],
  [MAIN, ''],
  [TALK, 'Talk'],
  [USER, 'User'],
  [USER_TALK, 'User talk'],
  [PROJECT, 'Project'],
  [PROJECT_TALK, 'Project talk'],
  [FILE, 'File'],
  [FILE_TALK, 'File talk'],
  [MEDIAWIKI, 'MediaWiki'],
  [MEDIAWIKI_TALK, 'MediaWiki talk'],
  [TEMPLATE, 'Template'],
  [TEMPLATE_TALK, 'Template talk'],
  [HELP, 'Help'],
  [HELP_TALK, 'Help talk'],
  [CATEGORY, 'Category'],
  [CATEGORY_TALK, 'Category talk'],
]

/** The site of an empty store: English namespaces, first letters raised, no licence, no bots. */
export const DEFAULT_SITE: Site = {
  name: 'Palimpsest',
  wikiId: '',
  language: 'en',
  base: '',
  case: 'first-letter',
  namespaces: DEFAULT_NAMESPACES.map(([id, name]) => ({ id, name, case: 'first-letter' })),
  license: { url: '', title: '' },
  bots: [],
}

/** Namespaces with subpages by MediaWiki's default settings, and those of Scribunto. */
export const hasUsualSubpages = (namespace: number): boolean =>
  (namespace > MAIN && namespace <= CATEGORY_TALK && namespace !== FILE && namespace !== CATEGORY) ||
  namespace === MODULE ||
  namespace === MODULE_TALK
