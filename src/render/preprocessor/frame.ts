/**
 * Frames: the page or template whose text is expanded, with its arguments. Template code reads the arguments as
 * `{{{name}}}`. Modules use `Frame`, which handles finished texts only.
 */
import type { Title } from '../../domain/title.js'
import type { Argument, Tree } from './tree.js'

/** Texts by name. Numbers are names too: `1` is the first argument without a name of its own. */
export type ArgumentValues = ReadonlyMap<string, string>

export const NO_VALUES: ArgumentValues = new Map()

/** Input texts are not expanded again unless a method says so. Output texts contain markers of extension tags. */
export interface Frame {
  /** Title of the page or template that the text belongs to. */
  readonly title: Title
  /** The frame that calls this one; undefined for the page itself. */
  readonly parent: Frame | undefined
  /** Expands on first use. Named arguments are trimmed. */
  getArgument(name: string): string | undefined
  /** Names in the order of the call. */
  argumentNames(): string[]
  /** Expands a text as part of this frame, with its arguments. */
  preprocess(text: string): string
  /** Transcludes a page; undefined when it does not exist. `title` defaults to the template namespace. */
  expandTemplate(title: string, values: ArgumentValues): string | undefined
  /** `name` includes the `#` of wikitext. Undefined when there is no such function. */
  callParserFunction(name: string, positional: readonly string[], named: ArgumentValues): string | undefined
  /** `<name attributes>content</name>`, or its marker if the wiki has such an extension. */
  extensionTag(name: string, content: string | undefined, attributes: ArgumentValues): string
  /** A frame inside this one, by default with the same title. */
  newChild(title: Title | undefined, values: ArgumentValues): Frame
}

/** A frame inside the preprocessor, which also handles unexpanded trees. */
export interface ExpansionFrame extends Frame {
  readonly parent: ExpansionFrame | undefined
  /** The part of the page, by section names. Undefined: the page as a template. */
  readonly part: string | undefined
  /** Number of enclosing templates. */
  readonly depth: number
  expand(tree: Tree): string
  /** Creates the frame of a template that this one calls. */
  ofTemplate(title: Title, args: readonly Argument[]): ExpansionFrame
  /** Creates the frame of a part of a page, which has no arguments. */
  ofPart(title: Title, part: string): ExpansionFrame
  newChild(title: Title | undefined, values: ArgumentValues): ExpansionFrame
}
