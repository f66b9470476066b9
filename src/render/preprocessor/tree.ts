/** The tree of a wikitext. Only constructs of the preprocessor are nodes; everything else is text. */

export type Node = string | Transclusion | Parameter | TagNode | Hidden
/** Nodes in the order of their source. Adjacent texts are joined. */
export type Tree = readonly Node[]

/** `{{target|argument|name=argument}}`: a template, a parser function or a magic word. */
export interface Transclusion {
  readonly kind: 'transclusion'
  readonly target: Tree
  readonly args: readonly Argument[]
  /** True directly after a newline. A result that begins a list or table then needs no newline of its own. */
  readonly lineStart: boolean
}

/** `{{{name|default}}}`; text after a second `|` has no meaning. */
export interface Parameter {
  readonly kind: 'parameter'
  readonly name: Tree
  readonly args: readonly Argument[]
}

/** The text between two `|`, including blanks. Arguments without a name are numbered. */
export interface Argument {
  readonly name: Tree | undefined
  readonly value: Tree
}

/** An extension tag such as `<ref name="a">text</ref>`, whose content is not expanded. */
export interface TagNode {
  readonly kind: 'tag'
  /** In lower case. */
  readonly name: string
  readonly source: string
}

/** A comment, or text that `noinclude` and similar tags remove. Kept only for a save. */
export interface Hidden {
  readonly kind: 'hidden'
  readonly comment: boolean
  readonly source: string
}

/** Adds a node, and joins adjacent texts. */
export function addNode(nodes: Node[], node: Node): void {
  const last = nodes.length - 1
  const previous = nodes[last]
  if (typeof node === 'string' && typeof previous === 'string') nodes[last] = previous + node
  else if (node !== '') nodes.push(node)
}

/** The whole argument, including its name. */
export function wholeArgument(argument: Argument): Tree {
  return argument.name === undefined ? argument.value : [...argument.name, '=', ...argument.value]
}
