/** Messages of the expanding thread. */
import type { ScriptError } from '../../render/preprocessor/report.js'
import type { RenderSettings } from '../html/renderTasks.js'

export type { ScriptError } from '../../render/preprocessor/report.js'

export interface ExpandStart {
  /** Data folder of the wiki. Undefined: no wiki. */
  readonly dataDir: string | undefined
  /** Folder of pages that come before those of the wiki. */
  readonly pagesDir: string | undefined
  readonly renderSettings: RenderSettings
  /** One integer of 32 bits. A console's line ends when it is not 0. */
  readonly interrupt: SharedArrayBuffer
}

export type ExpandJob =
  /** `title` in reading form, of the page whose text this is; it need not exist. */
  | { readonly task: 'expand'; readonly title: string; readonly text: string; readonly nowMs: number }
  /** A line of the console, as a part of the page `title`. */
  | { readonly task: 'evaluate'; readonly title: string; readonly line: string; readonly nowMs: number }

/** A text with its templates and modules expanded. */
export interface ExpandedText {
  readonly expanded: string
  /** Tracking categories, which faults put the page into. */
  readonly categories: readonly string[]
  readonly errors: readonly ScriptError[]
  /** What `mw.addWarning` and limits say. */
  readonly warnings: readonly string[]
  /** What `mw.log` wrote. */
  readonly log: readonly string[]
  /** False: something was left out for a limit, or because a template calls itself. */
  readonly isWhole: boolean
}

export interface EvaluatedLine {
  readonly isIncomplete: boolean
  /** What `mw.log` and `print` wrote. */
  readonly log: readonly string[]
  /** Values of an expression. */
  readonly shown: string | undefined
  readonly error: string | undefined
  readonly traceback: readonly string[]
  /** Variables of earlier lines are gone. */
  readonly isStateLost: boolean
}

export type ExpandAnswer =
  | { readonly result: 'expanded'; readonly text: ExpandedText }
  | { readonly result: 'evaluated'; readonly line: EvaluatedLine }
  /** It cannot be done; the reason is for the person who asked. */
  | { readonly result: 'refused'; readonly reason: string }
  /** The thread was ended over it, with all variables of a console. */
  | { readonly result: 'ended'; readonly reason: string }

/** Messages before the first job: native code is loaded, then the thread is ready or cannot use the wiki. */
export type ExpandGreeting =
  | { readonly opened: true }
  | { readonly ready: true; readonly threadNumber: number | undefined }
  | { readonly unusable: string }
