/** A call of a parser function or magic word, as its implementation sees it. */
import type { Title } from '../../domain/title.js'
import type { Expander } from './expander.js'
import type { ExpansionFrame } from './frame.js'
import { trim } from './literal.js'
import { wholeArgument, type Argument } from './tree.js'

/** `name=value`, or a value alone. Both are expanded on first use and trimmed. */
export interface SplitArgument {
  readonly hasName: boolean
  name(): string
  value(): string
}

/** Arguments are counted from 0, which is the text after the colon. */
export interface FunctionCall {
  /** 0 for a word without a colon. */
  readonly count: number
  readonly frame: ExpansionFrame
  readonly expander: Expander
  /** Expanded once and trimmed. Empty when the argument is missing. */
  text(index: number): string
  split(index: number): SplitArgument
  /** A frame for a page, with the arguments from `first` on, renumbered from 1. */
  childFrame(title: Title, first: number): ExpansionFrame
}

/** Returns the result, or undefined to leave the call as written. */
export type ParserFunction = (call: FunctionCall) => string | undefined

/** Factor for functions that take long for each character. */
const COSTLY = 20

/** Like `call.text`, but counts twenty times the length of the text. */
export function costlyText(call: FunctionCall, index: number): string {
  const text = call.text(index)
  call.expander.budget.countText(COSTLY * text.length)
  return text
}

const NO_ARGUMENT: SplitArgument = { hasName: false, name: () => '', value: () => '' }

/** A call as written in wikitext. */
export class WrittenCall implements FunctionCall {
  readonly count: number
  readonly frame: ExpansionFrame
  readonly expander: Expander
  readonly #first: string | undefined
  readonly #args: readonly Argument[]
  readonly #texts: (string | undefined)[] = []

  /** `first` is already expanded, since the name of the function is part of the same text. */
  constructor(
    expander: Expander,
    frame: ExpansionFrame,
    first: string | undefined,
    args: readonly Argument[],
  ) {
    this.expander = expander
    this.frame = frame
    this.#first = first
    this.#args = args
    this.count = first === undefined ? 0 : args.length + 1
  }

  text(index: number): string {
    if (index === 0) return this.#first ?? ''
    const argument = this.#args[index - 1]
    if (argument === undefined) return ''
    return (this.#texts[index] ??= trim(this.frame.expand(wholeArgument(argument))))
  }

  split(index: number): SplitArgument {
    const argument = this.#args[index - 1]
    if (argument === undefined) return NO_ARGUMENT
    const { name, value } = argument
    return {
      hasName: name !== undefined,
      name: () => (name === undefined ? '' : trim(this.expander.expandVisible(name, this.frame))),
      value: () => trim(this.frame.expand(value)),
    }
  }

  childFrame(title: Title, first: number): ExpansionFrame {
    return this.frame.ofTemplate(title, this.#args.slice(first - 1))
  }
}

/** A call with finished texts. */
export class ValueCall implements FunctionCall {
  readonly count: number
  readonly frame: ExpansionFrame
  readonly expander: Expander
  readonly #args: readonly { readonly name: string | undefined; readonly value: string }[]

  constructor(
    expander: Expander,
    frame: ExpansionFrame,
    args: readonly { readonly name: string | undefined; readonly value: string }[],
  ) {
    this.expander = expander
    this.frame = frame
    this.#args = args
    this.count = args.length
  }

  text(index: number): string {
    const argument = this.#args[index]
    if (argument === undefined) return ''
    return trim(argument.name === undefined ? argument.value : `${argument.name}=${argument.value}`)
  }

  split(index: number): SplitArgument {
    const argument = this.#args[index]
    if (argument === undefined) return NO_ARGUMENT
    const { name, value } = argument
    return { hasName: name !== undefined, name: () => trim(name ?? ''), value: () => trim(value) }
  }

  childFrame(title: Title, first: number): ExpansionFrame {
    let position = 0
    const args = this.#args.slice(first)
    const values = args.map(({ name, value }) => [name ?? String(++position), value] as const)
    return this.frame.newChild(title, new Map(values))
  }
}

/** The title that an argument names, or that of the page for a word without one. Undefined for an invalid title. */
export function titleOf(call: FunctionCall, index = 0): Title | undefined {
  if (call.count <= index) return call.expander.page.title
  return call.expander.titles.parse(call.text(index))
}

/** Functions by the name before the colon, in lower case unless its case counts. */
export type FunctionTable = Readonly<Record<string, ParserFunction>>
