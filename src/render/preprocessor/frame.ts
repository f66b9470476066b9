/**
 * Frames: whose text is being expanded, and with which arguments. Template code sees them through `{{{name}}}`, and a
 * module would see them through the interface below, which speaks of finished texts only.
 */
import type { Title } from '../../domain/title.js'
import { TreeArguments, ValueArguments, type FrameArguments } from './arguments.js'
import type { Expander } from './expander.js'
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

export class ExpansionFrame implements Frame {
  readonly title: Title
  readonly parent: ExpansionFrame | undefined
  /** Which part of the page it is, by the names of sections; undefined: the page as a template. */
  readonly part: string | undefined
  /** How many templates are around the text. */
  readonly depth: number
  readonly #expander: Expander
  readonly #args: FrameArguments

  private constructor(
    expander: Expander,
    title: Title,
    parent: ExpansionFrame | undefined,
    args: FrameArguments,
    part?: string,
  ) {
    this.#expander = expander
    this.title = title
    this.parent = parent
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.#args = args
    this.part = part
  }

  static ofPage(expander: Expander, title: Title): ExpansionFrame {
    return new ExpansionFrame(expander, title, undefined, new ValueArguments(NO_VALUES))
  }

  /** The frame of a template that this one calls. */
  ofTemplate(title: Title, args: readonly Argument[]): ExpansionFrame {
    return new ExpansionFrame(this.#expander, title, this, new TreeArguments(args, this, this.#expander))
  }

  /** The frame of a part of a page, which has no arguments. */
  ofPart(title: Title, part: string): ExpansionFrame {
    return new ExpansionFrame(this.#expander, title, this, new ValueArguments(NO_VALUES), part)
  }

  newChild(title: Title | undefined, values: ArgumentValues): ExpansionFrame {
    return new ExpansionFrame(this.#expander, title ?? this.title, this, new ValueArguments(values))
  }

  expand(tree: Tree): string {
    return this.#expander.expandTree(tree, this)
  }

  getArgument(name: string): string | undefined {
    return this.#args.get(name)
  }

  argumentNames(): string[] {
    return this.#args.names()
  }

  preprocess(text: string): string {
    return this.#expander.expandText(text, this)
  }

  expandTemplate(title: string, values: ArgumentValues): string | undefined {
    return this.#expander.expandTemplateWith(title, values, this)
  }

  callParserFunction(name: string, positional: readonly string[], named: ArgumentValues): string | undefined {
    return this.#expander.callFunctionWith(name, positional, named, this)
  }

  extensionTag(name: string, content: string | undefined, attributes: ArgumentValues): string {
    return this.#expander.makeTag(name, content, attributes)
  }
}
