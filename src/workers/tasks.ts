/** The tasks of the compute pool: name, input and output. Inputs are ids, not texts; texts come back as UTF-8. */
import type { JsonFields } from './jsonFields.js'

export interface Tasks {
  /** Chosen fields of a JSON body. */
  readonly jsonFields: {
    readonly input: { readonly bytes: Uint8Array; readonly paths: readonly string[] }
    readonly output: JsonFields
  }
  /** The wikitext of a revision as the UTF-8 bytes of a JSON string, quotes included; undefined when it is hidden or gone. */
  readonly revisionSource: {
    readonly input: { readonly revisionId: number }
    readonly output: Uint8Array | undefined
  }
  /** The whole answer to a comparison of two revisions, as UTF-8; undefined when a text is hidden or gone. */
  readonly compare: {
    readonly input: { readonly from: number; readonly to: number }
    readonly output: Uint8Array | undefined
  }
  /**
   * Merges `mine`, made from the revision `baseId`, into the revision `currentId`; undefined when a text is hidden or
   * gone. On a conflict, what each side changed: comparisons as the UTF-8 bytes of a JSON object with the key `diff`.
   */
  readonly mergeEdit: {
    readonly input: { readonly baseId: number; readonly currentId: number; readonly mine: string }
    readonly output: EditMerge | undefined
  }
  /** Language links of a page as the UTF-8 bytes of a JSON array. */
  readonly languageLinks: {
    readonly input: { readonly pageId: number }
    readonly output: Uint8Array
  }
  /** Different editors of the revisions between two of one page, both left out; stops at `cap`. */
  readonly countEditorsBetween: {
    readonly input: { readonly a: RevisionPlace; readonly b: RevisionPlace; readonly cap: number }
    readonly output: number
  }
}

/** Where a revision stands in its page's history; `timestamp` is in seconds. */
export interface RevisionPlace {
  readonly id: number
  readonly pageId: number
  readonly timestamp: number
}

/** `text` ends with one newline and is not yet normalised as saved text is. */
export type EditMerge =
  | { readonly clean: true; readonly text: string }
  | { readonly clean: false; readonly local: Uint8Array; readonly remote: Uint8Array }

export type TaskName = keyof Tasks
export type TaskInput<Name extends TaskName> = Tasks[Name]['input']
export type TaskOutput<Name extends TaskName> = Tasks[Name]['output']

/** What a worker is started with. */
export interface WorkerStart {
  readonly dataDir: string
}
