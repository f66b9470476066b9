/** Expands `{{…}}`: looks for a magic word, a parser function and a page, in this order, like MediaWiki. */
import { prefixedText, type Title, titleId, sameTitle } from '../../domain/title.js'
import type { Expander } from './expander.js'
import type { ExpansionFrame } from './frame.js'
import { WrittenCall } from './functionCall.js'
import { findFunction, findWord } from './functions/index.js'
import { escapeWikitext, spanError, trim } from './literal.js'
import type { Template } from './templates.js'
import type { Transclusion } from './tree.js'

/** Markup that only has a meaning at the start of a line. */
const LINE_START = /^(?:\{\||[:;#*])/
const LONGEST_PREFIX = 30

export function transclude(node: Transclusion, frame: ExpansionFrame, expander: Expander): string {
  expander.budget.countCall()
  const written = expander.expandVisible(node.target, frame)
  const text = trim(written)
  const prefix = prefixOf(text, expander)
  const marked = prefix === 'subst' || prefix === 'safesubst'
  const isExpanded = expander.saving ? marked : prefix !== 'subst'
  const result = isExpanded ? expandCall(marked ? afterColon(text) : text, node, frame, expander) : undefined
  if (result === undefined) {
    // A saved text also keeps the comments inside.
    const first = expander.saving ? expander.expandTree(node.target, frame) : written
    return expander.writeBraces('{{', first, node.args, '}}', frame)
  }
  const placed = !node.lineStart && LINE_START.test(result) ? `\n${result}` : result
  if (expander.budget.takeExpanded(placed.length)) return placed
  return tooLong(text, expander)
}

/** Undefined when nothing matches; the braces then stay. */
function expandCall(
  text: string,
  node: Transclusion,
  frame: ExpansionFrame,
  expander: Expander,
): string | undefined {
  const { site } = expander.source
  const word = node.args.length === 0 ? findWord(text, site) : undefined
  if (word) return word(new WrittenCall(expander, frame, undefined, []))
  if (prefixOf(text, expander) === 'msgnw') return showSource(afterColon(text), expander)
  const name = withoutPrefix('raw', withoutPrefix('msg', text, expander), expander)
  const colon = name.indexOf(':')
  const run = colon > 0 ? findFunction(name.slice(0, colon), site) : undefined
  const result = run?.(new WrittenCall(expander, frame, afterColon(name), node.args))
  return result ?? expandPage(name, node, frame, expander)
}

/** The English word in lower case before the colon, if it is a prefix that changes a call. */
function prefixOf(text: string, { source: { site } }: Expander): string {
  const colon = text.indexOf(':')
  if (colon < 0 || colon > LONGEST_PREFIX) return ''
  const name = text.slice(0, colon).toLowerCase()
  return site.wordAliases.get(name) ?? name
}

function afterColon(text: string): string {
  return trim(text.slice(text.indexOf(':') + 1))
}

/** Drops a prefix that has no meaning any more. */
function withoutPrefix(prefix: string, text: string, expander: Expander): string {
  return prefixOf(text, expander) === prefix ? afterColon(text) : text
}

/** The source of a page, escaped to show it. */
function showSource(name: string, expander: Expander): string | undefined {
  const title = expander.templates.resolve(name)
  if (title === undefined) return undefined
  const template = expander.templates.load(title)
  return template ? escapeWikitext(template.text) : missing(title, expander)
}

function expandPage(
  text: string,
  node: Transclusion,
  frame: ExpansionFrame,
  expander: Expander,
): string | undefined {
  const title = expander.templates.resolve(text)
  if (title === undefined) {
    return expander.titles.foreign(text) === undefined ? undefined : `[[:${text.replace(/^:/, '')}]]`
  }
  const template = expander.templates.load(title)
  // A save keeps a missing template as written, including its arguments.
  if (template === undefined) return expander.saving ? undefined : missing(title, expander)
  if (node.args.length > 0)
    return includeTemplate(template, frame.ofTemplate(template.title, node.args), expander)
  return includePlain(template, frame, expander)
}

/** Without arguments, a template gives the same text in every place. */
function includePlain(template: Template, frame: ExpansionFrame, expander: Expander): string {
  const key = titleId(template.title)
  const known = expander.results.get(key)
  if (known !== undefined) return known
  const before = expander.placeBound
  const result = includeTemplate(template, frame.ofTemplate(template.title, []), expander)
  if (expander.placeBound === before) expander.results.set(key, result)
  return result
}

/** Expands a template in a frame that was created for it. */
export function includeTemplate(template: Template, frame: ExpansionFrame, expander: Expander): string {
  const { report, budget } = expander
  if (isInside(template.title, frame)) {
    expander.placeBound++
    report.addFault('templateLoop')
    const name = prefixedText(template.title, expander.source.site.namespaces)
    report.addOmission(`${name} calls itself`)
    return spanError(`Template loop detected: [[${name}]]`)
  }
  if (frame.depth > budget.limits.templateDepth) {
    expander.placeBound++
    report.addFault('templateDepth')
    report.addOmission('the depth of templates reached its limit')
    return spanError(`Template recursion depth limit exceeded (${budget.limits.templateDepth})`)
  }
  return frame.expand(template.tree)
}

/**
 * True if the same part of this title encloses the frame. The page itself does not count, so the documentation of a
 * template may show the template.
 */
export function isInside(title: Title, { parent, part }: ExpansionFrame): boolean {
  for (let outer = parent; outer?.parent !== undefined; outer = outer.parent) {
    if (outer.part === part && sameTitle(outer.title, title)) return true
  }
  return false
}

function missing(title: Title, expander: Expander): string {
  return `[[:${expander.titles.fullText(title)}]]`
}

function tooLong(text: string, expander: Expander): string {
  expander.placeBound++
  expander.report.addFault('expandedLength')
  expander.report.addOmission('a template was left out: templates are too long altogether')
  const title = expander.templates.resolve(text)
  return title ? missing(title, expander) : ''
}
