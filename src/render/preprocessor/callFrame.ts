/** The frames of one expansion: the page, and the templates called directly or by other templates. */
import type { Title } from '../../domain/title.js'
import type { Expander } from './expander.js'
import { type ArgumentValues, type ExpansionFrame, NO_VALUES } from './frame.js'
import type { Argument, Tree } from './tree.js'
import { trim } from './literal.js'

// Arguments of a frame: written ones, which are expanded on first use, or finished texts.

interface FrameArguments {
  names(): string[]
  get(name: string): string | undefined
}

interface WrittenArgument {
  readonly value: Tree
  readonly named: boolean
  text: string | undefined
}

/** Arguments as a call wrote them. If several share a name, the last one counts. */
class TreeArguments implements FrameArguments {
  readonly #caller: ExpansionFrame
  readonly #byName = new Map<string, WrittenArgument>()

  /** Expands names at once, since they decide which arguments exist. */
  constructor(args: readonly Argument[], caller: ExpansionFrame, expander: Expander) {
    this.#caller = caller
    let position = 0
    for (const { name, value } of args) {
      const named = name !== undefined
      const key = named ? trim(expander.expandVisible(name, caller)) : String(++position)
      if (this.#byName.has(key)) expander.report.addFault('duplicateArguments')
      this.#byName.set(key, { value, named, text: undefined })
    }
  }

  names(): string[] {
    return [...this.#byName.keys()]
  }

  get(name: string): string | undefined {
    const argument = this.#byName.get(name)
    if (argument === undefined) return undefined
    if (argument.text === undefined) {
      const text = this.#caller.expand(argument.value)
      argument.text = argument.named ? trim(text) : text
    }
    return argument.text
  }
}

const NUMBER = /^[1-9][0-9]*$/

class ValueArguments implements FrameArguments {
  readonly #values: ArgumentValues

  constructor(values: ArgumentValues) {
    this.#values = values
  }

  names(): string[] {
    return [...this.#values.keys()]
  }

  get(name: string): string | undefined {
    const value = this.#values.get(name)
    return value === undefined || NUMBER.test(name) ? value : trim(value)
  }
}

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
