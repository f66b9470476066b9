/**
 * The plainest expansion of templates: a page's text in the place of `{{Name}}`, with its arguments. Parser functions and
 * magic words become a marked error, so that nothing is taken for what it is not.
 */
import { Namespaces } from '../domain/namespaces.js'
import { parseTitle, prefixedText } from '../domain/title.js'
import { escapeHtml } from './escape.js'
import type { MakeExpander } from './templates.js'

const MAX_DEPTH = 40
const MAX_CALLS = 5000
const MAX_EXPANDED = 2_000_000
const TEMPLATE = 10

export const makeSimpleExpander: MakeExpander = ({ wiki, source }) => {
  const namespaces = new Namespaces(wiki.site)
  let calls = 0
  let length = 0
  const expand = (text: string, args: ReadonlyMap<string, string>, depth: number): string =>
    replaceBraces(text, (inner, isArgument) => {
      if (isArgument) {
        const [name = '', fallback] = splitParts(inner)
        return args.get(name.trim()) ?? (fallback === undefined ? '' : expand(fallback, args, depth))
      }
      const result = depth >= MAX_DEPTH || ++calls > MAX_CALLS ? undefined : include(inner, args, depth)
      length += result?.length ?? 0
      return result === undefined || length > MAX_EXPANDED ? notExpanded(inner) : result
    })
  const include = (inner: string, outer: ReadonlyMap<string, string>, depth: number): string | undefined => {
    const [name = '', ...parts] = splitParts(inner)
    const target = expand(name, outer, depth + 1).trim()
    if (target.startsWith('#')) return undefined
    const parsed = parseTitle(target.startsWith(':') ? target : withNamespace(target, namespaces), namespaces)
    if (!parsed.ok) return undefined
    const page = source.readPage(parsed.title)
    if (page === undefined) return `[[:${prefixedText(parsed.title, namespaces)}]]`
    const args = new Map<string, string>()
    parts.forEach((part, n) => {
      const equals = part.indexOf('=')
      if (equals < 0) args.set(String(n + 1), expand(part, outer, depth + 1))
      else args.set(part.slice(0, equals).trim(), expand(part.slice(equals + 1), outer, depth + 1).trim())
    })
    return expand(transcluded(page.wikitext), args, depth + 1)
  }
  return { expand: (text) => expand(text, new Map(), 0), expiresAfterS: undefined }
}

function withNamespace(target: string, namespaces: Namespaces): string {
  const prefix = target.slice(0, Math.max(0, target.indexOf(':')))
  return namespaces.idByName(prefix) === undefined
    ? `${namespaces.nameOf(TEMPLATE) ?? 'Template'}:${target}`
    : target
}

/** The part of a page's text that is included. */
function transcluded(text: string): string {
  const only = [...text.matchAll(/<onlyinclude>([\s\S]*?)<\/onlyinclude>/g)]
  if (only.length > 0) return only.map(([, part]) => part).join('')
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<noinclude>[\s\S]*?(?:<\/noinclude>|$)/g, '')
    .replace(/<\/?includeonly>/g, '')
}

function notExpanded(inner: string): string {
  return `<strong class="error"><nowiki>${escapeHtml(inner.slice(0, 100))}</nowiki></strong>`
}

/** Replaces each outermost pair of double or triple braces; braces without a partner become entities. */
function replaceBraces(text: string, replace: (inner: string, isArgument: boolean) => string): string {
  let out = ''
  let at = 0
  while (at < text.length) {
    const start = text.indexOf('{{', at)
    if (start < 0) return out + text.slice(at)
    const isArgument = text.startsWith('{{{', start) && !text.startsWith('{{{{', start)
    const width = isArgument ? 3 : 2
    const end = closingBrace(text, start, width)
    if (end < 0) return out + text.slice(at, start) + text.slice(start).replaceAll('{', '&#123;')
    out += text.slice(at, start) + replace(text.slice(start + width, end), isArgument)
    at = end + width
  }
  return out
}

function closingBrace(text: string, start: number, width: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at - width + 1
  }
  return -1
}

/** Splits at the pipes that stand in no inner braces or brackets. */
function splitParts(inner: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < inner.length; at++) {
    const sign = inner[at]!
    if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    else if (sign === '|' && depth === 0) {
      parts.push(inner.slice(from, at))
      from = at + 1
    }
  }
  parts.push(inner.slice(from))
  return parts
}
