/**
 * The preprocessor's input from its caller: the page, the wiki, and limits. It reads nothing else, not even a clock.
 */
import type { Namespaces } from '../../domain/namespaces.js'
import type { Title } from '../../domain/title.js'

/** The page whose text is expanded. Words for names and revisions refer to it. */
export interface PageFacts {
  readonly title: Title
  /** Undefined for an unsaved page. */
  readonly id: number | undefined
  /** The rendered revision, or the one that a save is about to create. Undefined for any other text. */
  readonly revision: PageRevision | undefined
}

/** A revision without an id is not saved yet. */
export interface PageRevision extends Omit<RevisionFacts, 'id'> {
  readonly id: number | undefined
}

export interface RevisionFacts {
  readonly id: number
  /** Seconds since 1970, UTC. */
  readonly timestamp: number
  /** Empty when hidden. */
  readonly userName: string
  readonly sizeBytes: number
}

export interface WikiPage {
  readonly id: number
  readonly text: string
  readonly contentModel: string
  readonly revision: RevisionFacts
}

/** A file that pages can show. */
export interface FileFacts {
  /** Pixels. 0: unknown, or not a picture. */
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
  readonly mime: string
}

/** A prefix of links to another wiki. */
export interface InterwikiFacts {
  readonly prefix: string
  readonly url: string
  /** True if the wiki belongs to the same family. */
  readonly isLocal: boolean
}

/** Who may change a title: MediaWiki's names of levels, such as `sysop`; undefined: everybody. */
export interface TitleProtection {
  readonly edit: string | undefined
  /** Where there is no page. */
  readonly create: string | undefined
  /** Seconds since 1970, UTC; undefined: for good. */
  readonly expires: number | undefined
  /** Who may move the page, if they may edit it. */
  readonly move?: string | undefined
  /** The same for `move`. */
  readonly moveExpires?: number | undefined
}

export interface SiteStatistics {
  readonly pages: number
  readonly articles: number
  readonly edits: number
  readonly files: number
  readonly users: number
  readonly activeUsers: number
  readonly admins: number
}

export interface SiteFacts {
  readonly name: string
  /** Content language code, such as `gd`. */
  readonly language: string
  readonly namespaces: Namespaces
  /** `https://wiki.example`, without a slash at the end. */
  readonly server: string
  /** `/w`; empty at the root. */
  readonly scriptPath: string
  /** `/wiki/$1`. */
  readonly articlePath: string
  /** The text of `{{CURRENTVERSION}}`. */
  readonly version: string
  /** IANA name of the zone of `{{LOCALTIME}}` and `#timel`, such as `Europe/Riga`. */
  readonly timeZone: string
  /** Tags whose content is not wikitext for the preprocessor, in lower case. */
  readonly extensionTags: ReadonlySet<string>
  /** English words by local words (`NAMENSRAUM`, `#wenn`), as `wordAliases` builds them. */
  readonly wordAliases: ReadonlyMap<string, string>
  /** The usual names of MediaWiki's special pages by all names in English and the wiki's language, in lower case. */
  readonly specialPages: ReadonlyMap<string, string>
  /** True if `#len`, `#pos`, `#sub` and similar parser functions are enabled. */
  readonly stringFunctions: boolean
  /** False if numbers have the digits 0 to 9 in all languages. */
  readonly localDigits: boolean
}

/** Reads of one consistent state of the wiki. All reads are synchronous. */
export interface WikiSource {
  readonly site: SiteFacts
  /** The time of the expansion, seconds since 1970. */
  readonly now: number
  /** The latest revision of a page. Undefined when it is missing or hidden. */
  readPage(title: Title): WikiPage | undefined
  pageExists(title: Title): boolean
  /** URL of the file itself; undefined when it does not exist. The name has underscores and a capital first letter. */
  fileUrl(name: string): string | undefined
  /** Facts of a file; undefined when it does not exist. The name is as in `fileUrl`. */
  fileFacts(name: string): FileFacts | undefined
  /** The title of the page with this id. */
  pageTitle(id: number): Title | undefined
  interwikiMap(): readonly InterwikiFacts[]
  /**
   * A URL such as `https://de.wikipedia.org/wiki/$1`. Undefined when the prefix (in lower case) names no other wiki.
   */
  interwikiUrl(prefix: string): string | undefined
  statistics(): SiteStatistics
  pagesInNamespace(namespace: number): number
  /** Accounts in a group, by MediaWiki's name for it. */
  usersInGroup(group: string): number
  /** A title of a namespace that has pages. */
  protection(title: Title): TitleProtection
  /** `name` has underscores, without the namespace. */
  categorySize(name: string, kind: 'all' | 'pages' | 'files' | 'subcats'): number
}
