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

/** Site settings as stored: from the dump's siteinfo until `palimpsest site set` says otherwise. */
export interface Site {
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
