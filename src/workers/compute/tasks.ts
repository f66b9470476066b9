/**
 * The tasks of the compute pool: name, input and output. Inputs are mostly ids rather than stored texts. Texts come
 * back as UTF-8.
 */
import type { Title } from '../../domain/title.js'
import type { Preparation } from '../../edit/preparation.js'
import type { PreparationResult } from '../../edit/prepareEdit.js'
import type { BodyFacts } from '../../reader/bodyFacts.js'
import type { ExtractOptions, PageLead } from '../../reader/extract.js'
import type { MarkdownOptions, MarkdownPage } from '../../reader/markdown/markdown.js'
import type { MediaItem } from '../../reader/mediaItems.js'
import type { ShownVariant, VariantPage } from '../../render/variants/readPage.js'
import type { MarkedTexts } from '../../render/variants/readMarked.js'
import type { PackedPart } from '../../storage/html/packedHtml.js'
import type { Basis } from '../../storage/html/renderings.js'
import type { SearchRequest } from '../../storage/search/searchIndex.js'
import type { FormFields, JsonFields } from './readFields.js'
import type { MatchSection, SearchMatch } from './matchSections.js'
import type { TableInput, TextForm, TextOf } from './readerTexts.js'
import type { RenderWiki } from '../html/renderTasks.js'

export interface Tasks {
  /** Reads chosen fields of a JSON body. */
  readonly jsonFields: {
    readonly input: { readonly bytes: Uint8Array; readonly paths: readonly string[] }
    readonly output: JsonFields
  }
  /** Prepares an edit for storing. */
  readonly prepareEdit: { readonly input: Preparation; readonly output: PreparationResult }
  /**
   * Merges `mine`, made from the revision `baseId`, into the revision `currentId`. Undefined if a text is hidden or
   * gone. On a conflict, or unless `mayMerge`, returns the changes of each side. Each is a comparison, as the UTF-8
   * bytes of a JSON object with the key `diff`.
   */
  readonly mergeEdit: {
    readonly input: {
      readonly baseId: number
      readonly currentId: number
      readonly mine: string
      readonly mayMerge: boolean
    }
    readonly output: EditMerge | undefined
  }
  /** Reads chosen fields of a form. */
  readonly formFields: {
    readonly input: {
      readonly bytes: Uint8Array
      readonly contentType: string
      readonly names: readonly string[]
    }
    readonly output: FormFields
  }
  /** Converts packed HTML to the UTF-8 bytes of a JSON string, quotes included. */
  readonly htmlAsJson: {
    readonly input: { readonly parts: readonly PackedPart[] }
    readonly output: Uint8Array
  }
  /** Running text or clean HTML of the inside of a body, as UTF-8. */
  readonly extract: {
    readonly input: { readonly parts: readonly PackedPart[]; readonly options: ExtractOptions }
    readonly output: Uint8Array
  }
  /** The inside of a body as Markdown or text, which is UTF-8. */
  readonly markdown: {
    readonly input: { readonly parts: readonly PackedPart[]; readonly options: MarkdownOptions }
    readonly output: MarkdownBytes
  }
  /** The first paragraph of the inside of a body, see `leadOf`. */
  readonly lead: {
    readonly input: { readonly parts: readonly PackedPart[]; readonly templates: string }
    readonly output: PageLead
  }
  /** Pictures, sounds and videos of the inside of a body. */
  readonly mediaItems: {
    readonly input: { readonly parts: readonly PackedPart[] }
    readonly output: readonly MediaItem[]
  }
  /**
   * The inside of a body, with links below `wikiPath`, and what it names. `offsets` are those of headings of `of`. The
   * body `json` is the table of the JSON text `of`.
   */
  readonly bodyFacts: {
    readonly input: {
      readonly body: { readonly parts: readonly PackedPart[] } | { readonly html: Uint8Array } | 'json'
      readonly of: TextOf
      readonly wikiPath: string
    }
    readonly output: { readonly html: string; readonly facts: BodyFacts; readonly offsets: readonly number[] }
  }
  /** A page as readers of a variant of the wiki's language see it. `parts` are the inside of its body. */
  readonly readVariant: {
    readonly input: { readonly parts: readonly PackedPart[]; readonly page: VariantPage }
    readonly output: PackedVariant
  }
  /** Titles and texts of pages for readers, see `readMarked`. Bytes are UTF-8. */
  readonly readMarked: {
    readonly input: Omit<MarkedTexts, 'texts'> & { readonly texts: readonly (string | Uint8Array)[] }
    readonly output: readonly (string | Uint8Array)[]
  }
  /** Each title as the other variants of the wiki's language write it. */
  readonly titlesInVariants: {
    readonly input: { readonly titles: readonly Title[]; readonly language: string }
    readonly output: readonly (readonly Title[])[]
  }
  /** Compresses a body. */
  readonly compress: {
    readonly input: { readonly bytes: Uint8Array; readonly coding: 'br' | 'gzip' }
    readonly output: Uint8Array
  }
  /**
   * The wikitext of a revision as the UTF-8 bytes of a JSON string, quotes included. Undefined if it is hidden or gone.
   */
  readonly revisionSource: {
    readonly input: { readonly revisionId: number }
    readonly output: Uint8Array | undefined
  }
  /** The whole answers to comparisons of two revisions, as UTF-8. Undefined where a text is hidden or gone. */
  readonly compare: {
    readonly input: { readonly pairs: readonly RevisionPair[] }
    readonly output: readonly (Uint8Array | undefined | Failed)[]
  }
  /** A text for readers, as UTF-8. Undefined if it is hidden or gone. */
  readonly textBytes: {
    readonly input: { readonly of: TextOf; readonly form: TextForm }
    readonly output: Uint8Array | undefined
  }
  /** The wikitext of a section, as UTF-8: 0 is the part before the first heading. Undefined as above. */
  readonly sectionText: {
    readonly input: { readonly of: TextOf; readonly section: number }
    readonly output: Uint8Array | 'no-section' | undefined
  }
  /** The tree of a wikitext, as the UTF-8 bytes of XML. A text that is hidden or gone counts as empty. */
  readonly treeXml: { readonly input: { readonly of: TextOf }; readonly output: Uint8Array | 'too-deep' }
  /** Replaces a section of a text: the whole text as UTF-8. Undefined as above. */
  readonly withSection: {
    readonly input: { readonly of: TextOf; readonly section: number; readonly text: string }
    readonly output: Uint8Array | 'no-section' | undefined
  }
  /** The style sheets of a wiki, which are the texts of some revisions, as UTF-8. */
  readonly wikiSheet: {
    readonly input: { readonly revisionIds: readonly number[] }
    readonly output: Uint8Array
  }
  /** The comparison of two texts as a table in HTML. Undefined as above. */
  readonly comparisonTable: {
    readonly input: TableInput
    readonly output: Uint8Array | undefined
  }
  /** The answers to full-text searches in the same order, as UTF-8, or the reason for a failed one. */
  readonly searchPages: {
    readonly input: { readonly searches: readonly PooledSearch[] }
    readonly output: readonly (Uint8Array | Failed)[]
  }
  /** See matchSections.ts. */
  readonly matchSections: {
    readonly input: { readonly matches: readonly SearchMatch[] }
    readonly output: readonly (MatchSection | undefined)[]
  }
  /** Runs searches of its own for `ms`, so that users need not wait for V8. Tells if some are left. */
  readonly warmSearches: { readonly input: { readonly ms: number }; readonly output: boolean }
  /** Number of titles in a namespace. It walks over them, some million a second. */
  readonly countTitles: { readonly input: { readonly namespace: number }; readonly output: number }
  /** Links of a page and its templates, with at most `maxFiles` files. `now` is in seconds since 1970. */
  readonly expandedLinks: {
    readonly input: { readonly pageId: number; readonly maxFiles: number; readonly now: number }
    readonly output: ExpandedLinks
  }
  /** A sitemap, or their list without a number, as UTF-8. `origin` is scheme and host, `root` the path of the wiki. */
  readonly sitemap: {
    readonly input: { readonly number: number | undefined; readonly origin: string; readonly root: string }
    readonly output: Uint8Array
  }
  /** Names of files with some contents, at most `limit`. */
  readonly filesWithContents: {
    readonly input: { readonly sha1: string; readonly limit: number }
    readonly output: readonly string[]
  }
  /** Numbers of revisions of actors, each at most `cap`. A count walks over their keys, some million a second. */
  readonly countRevisions: {
    readonly input: { readonly actorIds: readonly number[]; readonly cap: number }
    readonly output: readonly number[]
  }
  /** Number of distinct editors of the revisions between two of one page, without these two. Stops at `cap`. */
  readonly countEditorsBetween: {
    readonly input: { readonly a: RevisionPlace; readonly b: RevisionPlace; readonly cap: number }
    readonly output: number
  }
}

export interface MarkdownBytes extends Omit<MarkdownPage, 'text'> {
  readonly text: Uint8Array | undefined
}

/** `packedHtml` is the inside of the body, as `packInParts` makes it of one part. */
export interface PackedVariant extends Omit<ShownVariant, 'html'> {
  readonly packedHtml: Uint8Array
}

export interface ExpandedLinks extends Basis {
  /** Links to other languages, as the UTF-8 bytes of a JSON array. */
  readonly languages: Uint8Array
  /** Names of files, sorted, whether they exist or not. */
  readonly files: readonly string[]
  /** The generation of the store that these are of. */
  readonly generation: number
  /** How long they are the same while the wiki is; undefined: always. */
  readonly lifetimeSeconds: number | undefined
}

/** `text` ends with one newline, and is not yet normalised like saved text. */
export type EditMerge =
  | { readonly clean: true; readonly text: string }
  | { readonly clean: false; readonly local: Uint8Array; readonly remote: Uint8Array }

/** The reason why one job of a task has no answer. */
export interface Failed {
  readonly failure: string
  /** The job would take too long, and was not begun. */
  readonly isTooLong?: boolean
}

/** Ids of two revisions to compare. */
export interface RevisionPair {
  readonly from: number
  readonly to: number
}

/** A revision's place in its page's history. `timestamp` is in seconds. */
export interface RevisionPlace {
  readonly id: number
  readonly pageId: number
  readonly timestamp: number
}

/** A search as it is sent to a thread. */
export interface PooledSearch extends SearchRequest {
  /** The API's address as the client sees it. Addresses of pictures begin with it. */
  readonly baseUrl: string
}

export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = Tasks[Name]['input']
export type TaskOutput<Name extends TaskName> = Tasks[Name]['output']

/** Message of a thread that has loaded its code and opened the store. */
export interface ThreadStarted {
  /** `threadId` of `node:worker_threads`. */
  readonly started: number
}

export interface ComputeStart {
  /** The wikis of the server. Tasks name one by its number in this list. */
  readonly wikis: readonly RenderWiki[]
  /** A sound dictionary of libthai, in memory that threads share. Without it, ICU cuts Thai words. */
  readonly thaiDictionary?: Uint8Array | undefined
  /** Memory of the `ModuleBlocks`. */
  readonly moduleBlocks: SharedArrayBuffer
}

/** Input as it reaches a thread, with the wiki that the task is about. */
export type ThreadInput<Name extends TaskName> = TaskInput<Name> & {
  readonly wiki: number
} & (Name extends ModuleTask ? { readonly runningModule: SharedArrayBuffer } : unknown)

/** Tasks that may run modules. They get the memory of a `RunningModule`. */
const MODULE_TASKS = ['prepareEdit', 'expandedLinks'] as const
export type ModuleTask = (typeof MODULE_TASKS)[number]

export const runsModules = (name: TaskName): boolean => (MODULE_TASKS as readonly string[]).includes(name)

/**
 * Size limits for work on the event loop. Up to them the work takes less than a millisecond. Larger work becomes a task
 * of the compute pool. For sources of edits, `isQuickToPrepare` (`src/edit`) sets the limit, in characters.
 */
export const MAX_INLINE_BYTES = {
  /** Parsing a body: 200 kB take about a millisecond. */
  body: 64 * 1024,
  /** Reading the latest text of a page for the summary of an edit. */
  editedText: 32 * 1024,
  /** Unpacking HTML and converting it to a JSON string, which takes 0.6 ms. */
  jsonString: 64 * 1024,
  /** Compressing a body, which takes 0.2 ms with brotli. */
  compression: 8 * 1024,
  /** Searching a text for links. */
  linkSearch: 64 * 1024,
  /** Unpacking HTML, which takes 0.2 ms. */
  unpacking: 64 * 1024,
  /** Unpacking and patching the text of an older revision. */
  olderText: 32 * 1024,
} as const
