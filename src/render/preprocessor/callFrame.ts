/** The frames of one expansion: the page, and the templates called directly or by other templates. */
import type { Title } from '../../domain/title.js'
import { TreeArguments, ValueArguments, type FrameArguments } from './arguments.js'
import type { Expander } from './expander.js'
import { type ArgumentValues, type ExpansionFrame, NO_VALUES } from './frame.js'
import type { Argument, Tree } from './tree.js'

export class CallFrame implements ExpansionFrame {
  readonly title: Title
  readonly parent: CallFrame | undefined
  readonly part: string | undefined
  readonly depth: number
  readonly #expander: Expander
  readonly #args: FrameArguments

  private constructor(
    expander: Expander,
    title: Title,
    parent: CallFrame | undefined,
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

  static ofPage(expander: Expander, title: Title): CallFrame {
    return new CallFrame(expander, title, undefined, new ValueArguments(NO_VALUES))
  }

  ofTemplate(title: Title, args: readonly Argument[]): CallFrame {
    return new CallFrame(this.#expander, title, this, new TreeArguments(args, this, this.#expander))
  }

  ofPart(title: Title, part: string): CallFrame {
    return new CallFrame(this.#expander, title, this, new ValueArguments(NO_VALUES), part)
  }

  newChild(title: Title | undefined, values: ArgumentValues): CallFrame {
    return new CallFrame(this.#expander, title ?? this.title, this, new ValueArguments(values))
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
