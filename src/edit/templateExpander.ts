/**
 * Substitution by inclusion: the text of a template with its arguments put in. It knows no parser functions and no
 * variables; invocations of those stay as they were written.
 */
import type { Namespaces } from '../domain/namespaces.js'
import { redirectTarget } from '../domain/redirect.js'
import { parseTitle, prefixedKey, type Title } from '../domain/title.js'
import { parseBraces, type Construct, type Node } from './braces.js'
import { findLiteralParts } from './literalParts.js'
import { SUBSTITUTION, type ExpandSubstitution } from './substitution.js'
import { includedText } from './templateText.js'

/** The latest source of a page; undefined when there is no such page, or none that can be included. */
export type ReadTemplate = (title: Title) => string | undefined

export interface ExpansionLimits {
  /** Templates within templates. */
  readonly depth: number
  /** Templates put in, over all invocations of a save. */
  readonly inclusions: number
  /** UTF-16 units of any one expansion. */
  readonly length: number
  /** UTF-16 units read and written, over all invocations of a save. */
  readonly work: number
}

export const EXPANSION_LIMITS: ExpansionLimits = {
  depth: 40,
  inclusions: 10_000,
  length: 2_097_152,
  work: 16 * 2_097_152,
}
/** Levels of brackets, over all templates that are within one another: the call stack has its end. */
const MAX_LEVELS = 800
const TEMPLATE = 10

/** A template that is being put in: its arguments, and the templates around it. */
interface Frame {
  readonly key: string
  readonly depth: number
  readonly args: ReadonlyMap<string, string>
  readonly parent: Frame | undefined
}

/** Ends one invocation, which then stays as it was written. */
class LimitReached extends Error {}
/** Ends this and all further ones. */
class AllowanceSpent extends LimitReached {}

/**
 * Makes the function that puts templates in. A name without a prefix is of the Template namespace, `:Name` of the main
 * one, `/Name` a sub page of `page`; redirects are followed once. What is not there, what includes itself and what
 * goes beyond a limit stays as written. Only substitutions inside a template are carried out, its other templates
 * stay templates.
 */
export function templateExpander(
  page: Title,
  namespaces: Namespaces,
  readTemplate: ReadTemplate,
  limits: ExpansionLimits = EXPANSION_LIMITS,
): ExpandSubstitution {
  const expander = new TemplateExpander(page, namespaces, readTemplate, limits)
  let spent = false
  return (invocation) => {
    if (spent) return invocation
    try {
      return expander.expand(invocation)
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error
      spent = error instanceof AllowanceSpent
      return invocation
    }
  }
}

class TemplateExpander {
  readonly #page: Title
  readonly #namespaces: Namespaces
  readonly #readTemplate: ReadTemplate
  readonly #limits: ExpansionLimits
  readonly #bodies = new Map<string, readonly Node[] | undefined>()
  #inclusions = 0
  #work = 0
  #levels = 0

  constructor(page: Title, namespaces: Namespaces, readTemplate: ReadTemplate, limits: ExpansionLimits) {
    this.#page = page
    this.#namespaces = namespaces
    this.#readTemplate = readTemplate
    this.#limits = limits
  }

  expand(invocation: string): string {
    this.#levels = 0
    return this.#evaluate(this.#parse(invocation), undefined)
  }

  #parse(text: string): readonly Node[] {
    this.#spend(text)
    return parseBraces(text, findLiteralParts(text))
  }

  #evaluate(nodes: readonly Node[], frame: Frame | undefined): string {
    if (++this.#levels > MAX_LEVELS) throw new LimitReached()
    const pieces = nodes.map((node) => (typeof node === 'string' ? node : this.#construct(node, frame)))
    this.#levels--
    return this.#spend(pieces.join(''))
  }

  #construct(construct: Construct, frame: Frame | undefined): string {
    const [name = '', ...rest] = construct.parts.map((part) => this.#evaluate(part, frame))
    if (construct.kind === 'link') return `[[${[name, ...rest].join('|')}]]`
    if (construct.kind === 'argument') {
      return frame?.args.get(name.trim()) ?? (frame && rest[0]) ?? `{{{${[name, ...rest].join('|')}}}}`
    }
    const asWritten = `{{${[name, ...rest].join('|')}}}`
    if (!SUBSTITUTION.test(name)) return asWritten
    return this.#include(name.replace(SUBSTITUTION, ''), construct, frame) ?? asWritten
  }

  #include(name: string, { parts }: Construct, frame: Frame | undefined): string | undefined {
    const title = this.#templateTitle(name.trim())
    if (title === undefined) return undefined
    const key = prefixedKey(title, this.#namespaces)
    if (isInside(frame, key)) return undefined
    const body = this.#body(title, key)
    if (body === undefined) return undefined
    const depth = (frame?.depth ?? 0) + 1
    if (depth > this.#limits.depth) throw new LimitReached()
    if (++this.#inclusions > this.#limits.inclusions) throw new AllowanceSpent()
    return this.#evaluate(body, { key, depth, args: this.#args(parts.slice(1), frame), parent: frame })
  }

  /** Arguments with a name lose the blanks at their ends; those without are numbered from 1. The last of a name counts. */
  #args(parts: readonly (readonly Node[])[], frame: Frame | undefined): Map<string, string> {
    const args = new Map<string, string>()
    let position = 0
    for (const part of parts) {
      const equals = part.findIndex((node) => typeof node === 'string' && node.includes('='))
      const sign = part[equals]
      if (typeof sign !== 'string') {
        args.set(String(++position), this.#evaluate(part, frame))
        continue
      }
      const at = sign.indexOf('=')
      const name = this.#evaluate([...part.slice(0, equals), sign.slice(0, at)], frame)
      const value = this.#evaluate([sign.slice(at + 1), ...part.slice(equals + 1)], frame)
      args.set(name.trim(), value.trim())
    }
    return args
  }

  #templateTitle(name: string): Title | undefined {
    if (name.startsWith('/')) return this.#title(prefixedKey(this.#page, this.#namespaces) + name)
    if (name.startsWith(':')) return this.#title(name)
    const title = this.#title(name)
    if (title === undefined || title.namespace !== 0) return title
    return this.#title(this.#namespaces.keyPrefix(TEMPLATE) + name)
  }

  #title(text: string): Title | undefined {
    const parsed = parseTitle(text, this.#namespaces)
    return parsed.ok && parsed.title.namespace >= 0 ? parsed.title : undefined
  }

  #body(title: Title, key: string): readonly Node[] | undefined {
    if (!this.#bodies.has(key)) {
      const source = this.#readFollowing(title)
      this.#bodies.set(key, source === undefined ? undefined : this.#parse(includedText(source)))
    }
    return this.#bodies.get(key)
  }

  #readFollowing(title: Title): string | undefined {
    const source = this.#readTemplate(title)
    const target = source === undefined ? undefined : this.#title(redirectTarget(source) ?? '')
    return target === undefined ? source : this.#readTemplate(target)
  }

  #spend(text: string): string {
    this.#work += text.length
    if (text.length > this.#limits.length) throw new LimitReached()
    if (this.#work > this.#limits.work) throw new AllowanceSpent()
    return text
  }
}

function isInside(frame: Frame | undefined, key: string): boolean {
  for (let outer = frame; outer !== undefined; outer = outer.parent) if (outer.key === key) return true
  return false
}
