/** What the preprocessor asks of its caller: the page, the wiki, and limits. It reads nothing else, no clock either. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { Title } from '../../domain/title.js'

/** The page whose text is expanded: what the words for names and revisions speak of. */
export interface PageFacts {
  readonly title: Title
  /** Undefined for a page that is not saved yet. */
  readonly id: number | undefined
  /** The revision that is rendered, or that a save is about to make; undefined for any other text. */
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

/** A file that can be shown. */
export interface FileFacts {
  /** In pixels; 0: not known, or nothing to see. */
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
  readonly mime: string
}

/** A prefix of links to another wiki. */
export interface InterwikiFacts {
  readonly prefix: string
  readonly url: string
  /** Whether the wiki belongs to the same family. */
  readonly isLocal: boolean
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
  /** What `{{CURRENTVERSION}}` says. */
  readonly version: string
  /** IANA name of the zone of `{{LOCALTIME}}` and `#timel`, such as `Europe/Riga`. */
  readonly timeZone: string
  /** Names in lower case of the tags whose content is not wikitext to the preprocessor. */
  readonly extensionTags: ReadonlySet<string>
  /** Local words (`NAMENSRAUM`, `#wenn`) to English ones, as `wordAliases` makes them. */
  readonly wordAliases: ReadonlyMap<string, string>
  /** Whether `#len`, `#pos`, `#sub` and their kin are parser functions. */
  readonly stringFunctions: boolean
}

/** Reads of one state of the wiki. All answers are synchronous. */
export interface WikiSource {
  readonly site: SiteFacts
  /** The time of the expansion, seconds since 1970. */
  readonly now: number
  /** The latest revision of a page; undefined when there is none that may be shown. */
  readPage(title: Title): WikiPage | undefined
  pageExists(title: Title): boolean
  /** URL of the file itself, undefined when it does not exist. The name has underscores and a raised first letter. */
  fileUrl(name: string): string | undefined
  /** Undefined when the file does not exist. The name is as in `fileUrl`. */
  fileFacts(name: string): FileFacts | undefined
  /** The title of the page with this id. */
  pageTitle(id: number): Title | undefined
  interwikiMap(): readonly InterwikiFacts[]
  /** `https://de.wikipedia.org/wiki/$1`; undefined when the prefix, in lower case, names no other wiki. */
  interwikiUrl(prefix: string): string | undefined
  statistics(): SiteStatistics
  pagesInNamespace(namespace: number): number
  /** `name` has underscores, without the namespace. */
  categorySize(name: string, kind: 'all' | 'pages' | 'files' | 'subcats'): number
}
