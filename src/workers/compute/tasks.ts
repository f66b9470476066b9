/** The tasks of the compute pool: name, input and output. Inputs are ids, not texts; texts come back as UTF-8. */
import type { PreparationResult } from '../../edit/prepareEdit.js'
import type { SearchRequest } from '../../storage/search/searchIndex.js'
import type { FormFields } from './formFields.js'
import type { JsonFields } from './jsonFields.js'
import type { Preparation } from './prepare.js'
import type { RenderSettings } from '../html/renderTasks.js'

export interface Tasks {
  /** Chosen fields of a JSON body. */
  readonly jsonFields: {
    readonly input: { readonly bytes: Uint8Array; readonly paths: readonly string[] }
    readonly output: JsonFields
  }
  /** An edit as it is to be stored. */
  readonly prepareEdit: { readonly input: Preparation; readonly output: PreparationResult }
  /**
   * Merges `mine`, made from the revision `baseId`, into the revision `currentId`; undefined when a text is hidden or
   * gone. On a conflict, or unless `mayMerge`, what each side changed: comparisons as the UTF-8 bytes of a JSON object
   * with the key `diff`.
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
  /** Chosen fields of a form. */
  readonly formFields: {
    readonly input: {
      readonly bytes: Uint8Array
      readonly contentType: string
      readonly names: readonly string[]
    }
    readonly output: FormFields
  }
  /** UTF-8 as the UTF-8 bytes of a JSON string, quotes included. */
  readonly jsonString: {
    readonly input: { readonly bytes: Uint8Array }
    readonly output: Uint8Array
  }
  /**
   * The wikitext of a revision as the UTF-8 bytes of a JSON string, quotes included; undefined when it is hidden or
   * gone.
   */
  readonly revisionSource: {
    readonly input: { readonly revisionId: number }
    readonly output: Uint8Array | undefined
  }
  /** The whole answer to a comparison of two revisions, as UTF-8; undefined when a text is hidden or gone. */
  readonly compare: {
    readonly input: { readonly from: number; readonly to: number }
    readonly output: Uint8Array | undefined
  }
  /** The answers to full-text searches in their order, as UTF-8, or why there is none. */
  readonly searchPages: {
    readonly input: { readonly searches: readonly PooledSearch[] }
    readonly output: readonly (Uint8Array | { readonly failure: string })[]
  }
  /** Language links of a page and its templates, as the UTF-8 bytes of a JSON array. `now` is in seconds since 1970. */
  readonly languageLinks: {
    readonly input: { readonly pageId: number; readonly now: number }
    readonly output: Uint8Array
  }
  /** Names of the files that a page and its templates use, sorted; at most `limit`, whether they exist or not. */
  readonly usedFiles: {
    readonly input: { readonly pageId: number; readonly limit: number; readonly now: number }
    readonly output: readonly string[]
  }
  /** Different editors of the revisions between two of one page, both left out; stops at `cap`. */
  readonly countEditorsBetween: {
    readonly input: { readonly a: RevisionPlace; readonly b: RevisionPlace; readonly cap: number }
    readonly output: number
  }
}

/** `text` ends with one newline and is not yet normalised as saved text is. */
export type EditMerge =
  | { readonly clean: true; readonly text: string }
  | { readonly clean: false; readonly local: Uint8Array; readonly remote: Uint8Array }

/** Where a revision stands in its page's history; `timestamp` is in seconds. */
export interface RevisionPlace {
  readonly id: number
  readonly pageId: number
  readonly timestamp: number
}

/** A search as a thread takes it. */
export interface PooledSearch extends SearchRequest {
  /** Of the API, as the client finds it: addresses of pictures begin with it. */
  readonly baseUrl: string
}

export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = Tasks[Name]['input']
export type TaskOutput<Name extends TaskName> = Tasks[Name]['output']

/** What a thread says when it has loaded its code and opened the store. */
export const THREAD_STARTED = 'started'

/** What a worker is started with. */
export interface WorkerStart {
  readonly dataDir: string
}

/** What a thread that reads pages as they are shown is started with. */
export interface ComputeStart extends WorkerStart {
  readonly renderSettings: RenderSettings
}
