/**
 * Frames: whose text is being expanded, and with which arguments. Template code sees them through `{{{name}}}`, and a
 * module sees them through `Frame`, which speaks of finished texts only.
 */
import type { Title } from '../../domain/title.js'
import type { Argument, Tree } from './tree.js'

/** Texts by name; numbers are names like others: `1` is the first one that has no name of its own. */
export type ArgumentValues = ReadonlyMap<string, string>

export const NO_VALUES: ArgumentValues = new Map()

/** Texts that go in are not expanded again unless that is said; texts that come out hold markers of extension tags. */
export interface Frame {
  /** Of the page or template whose text it is. */
  readonly title: Title
  /** The frame that put this one in; undefined for the page itself. */
  readonly parent: Frame | undefined
  /** Expanded when asked for; a named one without the blanks at its ends. */
  getArgument(name: string): string | undefined
  /** In the order of the call. */
  argumentNames(): string[]
  /** Expands a text as part of this frame, with its arguments. */
  preprocess(text: string): string
  /** Puts a page in; undefined when there is none. `title` is of the template namespace unless it says otherwise. */
  expandTemplate(title: string, values: ArgumentValues): string | undefined
  /** `name` with the `#` it has in wikitext; undefined when there is no such function. */
  callParserFunction(name: string, positional: readonly string[], named: ArgumentValues): string | undefined
  /** `<name attributes>content</name>`, or a marker that stands for it when the wiki has such an extension. */
  extensionTag(name: string, content: string | undefined, attributes: ArgumentValues): string
  /** A frame inside this one; without a title, of the same one. */
  newChild(title: Title | undefined, values: ArgumentValues): Frame
}

/** A frame as the preprocessor itself sees it: with trees that are not expanded yet. */
export interface ExpansionFrame extends Frame {
  readonly parent: ExpansionFrame | undefined
  /** Which part of the page it is, by the names of sections; undefined: the page as a template. */
  readonly part: string | undefined
  /** How many templates are around the text. */
  readonly depth: number
  expand(tree: Tree): string
  /** The frame of a template that this one calls. */
  ofTemplate(title: Title, args: readonly Argument[]): ExpansionFrame
  /** The frame of a part of a page, which has no arguments. */
  ofPart(title: Title, part: string): ExpansionFrame
  newChild(title: Title | undefined, values: ArgumentValues): ExpansionFrame
}
