/** The tree of a wikitext: only what the preprocessor has to do with, everything else is text. */

export type Node = string | Transclusion | Parameter | TagNode | Hidden
/** Nodes in the order of their source; neighbouring texts are one string. */
export type Tree = readonly Node[]

/** `{{target|argument|name=argument}}`: a template, a parser function or a magic word. */
export interface Transclusion {
  readonly kind: 'transclusion'
  readonly target: Tree
  readonly args: readonly Argument[]
  /** Directly after a newline: a result that begins a list or table needs none of its own. */
  readonly lineStart: boolean
}

/** `{{{name|default}}}`; what follows a second `|` has no meaning. */
export interface Parameter {
  readonly kind: 'parameter'
  readonly name: Tree
  readonly args: readonly Argument[]
}

/** What stands between two `|`, with its blanks; without a name it is counted. */
export interface Argument {
  readonly name: Tree | undefined
  readonly value: Tree
}

/** `<ref name="a">text</ref>`: nothing in it is expanded. */
export interface TagNode {
  readonly kind: 'tag'
  /** In lower case. */
  readonly name: string
  readonly source: string
}

/** A comment, or what `noinclude` and its kin take away; only kept where a text is to be saved. */
export interface Hidden {
  readonly kind: 'hidden'
  readonly comment: boolean
  readonly source: string
}

/** Adds a node, joining texts. */
export function addNode(nodes: Node[], node: Node): void {
  const last = nodes.length - 1
  const previous = nodes[last]
  if (typeof node === 'string' && typeof previous === 'string') nodes[last] = previous + node
  else if (node !== '') nodes.push(node)
}

/** The whole of an argument, name and all. */
export function wholeArgument(argument: Argument): Tree {
  return argument.name === undefined ? argument.value : [...argument.name, '=', ...argument.value]
}
