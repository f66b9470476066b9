/**
 * A tree as XML, in the form of MediaWiki's preprocessor. Programs find templates and their arguments in it:
 *
 *     {{Box|a|b=c}}   →   <template><title>Box</title><part><name index="1"/><value>a</value></part>
 *                         <part><name>b</name><equals>=</equals><value>c</value></part></template>
 */
import type { Argument, Hidden, Node, TagNode, Tree } from './tree.js'

/** Templates within each other. More would be of no use, and take the stack of calls. */
const MAX_DEPTH = 100
const LONGEST_HEADING = 6

/** The text has templates in each other, deeper than anybody writes them. */
export class TooDeep extends Error {}

/** Throws TooDeep. Headings inside of arguments are plain text. */
export const treeXml = (tree: Tree): string => `<root>${new Lines().of(tree)}</root>`

/** A part of a line: literal text, or the XML of a node. */
interface Piece {
  readonly xml: string
  /** Undefined for nodes; empty for comments, which may follow a heading. */
  readonly text: string | undefined
}

/** The lines outside of all nodes, among which are the headings. */
class Lines {
  readonly #done: string[] = []
  #line: Piece[] = []
  #headings = 0

  of(tree: Tree): string {
    for (const node of tree) {
      if (typeof node === 'string') this.#addText(node)
      else this.#line.push({ xml: nodeXml(node, 0), text: isComment(node) ? '' : undefined })
    }
    this.#endLine()
    return this.#done.join('')
  }

  #addText(text: string): void {
    const [first = '', ...others] = text.split('\n')
    this.#line.push({ xml: escaped(first), text: first })
    for (const line of others) {
      this.#endLine()
      this.#done.push('\n')
      this.#line.push({ xml: escaped(line), text: line })
    }
  }

  #endLine(): void {
    const xml = this.#line.map((piece) => piece.xml).join('')
    const level = headingLevel(this.#line)
    this.#done.push(level === 0 ? xml : `<h level="${level}" i="${++this.#headings}">${xml}</h>`)
    this.#line = []
  }
}

const isComment = (node: Node): boolean => typeof node !== 'string' && node.kind === 'hidden' && node.comment

/** The level of the heading that a line is; 0 if it is none. */
function headingLevel(line: readonly Piece[]): number {
  const first = line[0]?.text ?? ''
  const last = line.findLast(({ text }) => text === undefined || text.trim() !== '')
  if (!first.startsWith('=') || last?.text === undefined) return 0
  const [start, end] = [/^=*/.exec(first)![0].length, endRun(last.text.trimEnd())]
  const isOneRun = last === line[0] && start === last.text.trimEnd().length
  // A line of signs alone has the middle ones as its text.
  const level = isOneRun ? Math.floor((start - 1) / 2) : Math.min(start, end)
  return Math.min(level, LONGEST_HEADING)
}

function endRun(text: string): number {
  let at = text.length
  while (text[at - 1] === '=') at--
  return text.length - at
}

function nodeXml(node: Node, depth: number): string {
  if (typeof node === 'string') return escaped(node)
  if (depth === MAX_DEPTH) throw new TooDeep()
  switch (node.kind) {
    case 'transclusion':
      return `<template${node.lineStart ? ' lineStart="1"' : ''}>${partsXml(node.target, node.args, depth)}</template>`
    case 'parameter':
      return `<tplarg>${partsXml(node.name, node.args, depth)}</tplarg>`
    case 'tag':
      return tagXml(node)
    case 'hidden':
      return hiddenXml(node)
  }
}

const inside = (tree: Tree, depth: number): string => tree.map((node) => nodeXml(node, depth + 1)).join('')

function partsXml(title: Tree, args: readonly Argument[], depth: number): string {
  let unnamed = 0
  const parts = args.map(({ name, value }) => {
    const head =
      name === undefined
        ? `<name index="${++unnamed}"/>`
        : `<name>${inside(name, depth)}</name><equals>=</equals>`
    return `<part>${head}<value>${inside(value, depth)}</value></part>`
  })
  return `<title>${inside(title, depth)}</title>${parts.join('')}`
}

function tagXml({ source }: TagNode): string {
  const [opening = '', name = '', attributes = '', slash = ''] =
    /^<([^\s/>]+)([^>]*?)(\/?)>/.exec(source) ?? []
  const [close = ''] = slash === '' ? (/<\/[^<>]*>$/.exec(source) ?? []) : []
  const content = source.slice(opening.length, source.length - close.length)
  const attr = attributes === '' ? '<attr/>' : `<attr>${escaped(attributes)}</attr>`
  const inner = slash === '' ? `<inner>${escaped(content)}</inner>` : ''
  return `<ext><name>${escaped(name)}</name>${attr}${inner}${close && `<close>${escaped(close)}</close>`}</ext>`
}

function hiddenXml({ comment, source }: Hidden): string {
  const name = comment ? 'comment' : 'ignore'
  return `<${name}>${escaped(source)}</${name}>`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]!)
