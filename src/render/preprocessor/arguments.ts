/** Arguments of a frame: written ones, which are expanded on first use, or finished texts. */
import type { Expander } from './expander.js'
import type { ArgumentValues, ExpansionFrame } from './frame.js'
import { trim } from './literal.js'
import type { Argument, Tree } from './tree.js'

export interface FrameArguments {
  names(): string[]
  get(name: string): string | undefined
}

interface WrittenArgument {
  readonly value: Tree
  readonly named: boolean
  text: string | undefined
}

/** Arguments as a call wrote them. If several share a name, the last one counts. */
export class TreeArguments implements FrameArguments {
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

export class ValueArguments implements FrameArguments {
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
