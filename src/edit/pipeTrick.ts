/** The pipe trick: a link with an empty label gets the short form of its title. */
import { findLiteralParts, replaceOutside } from './literalParts.js'

/**
 * Matches `[[Title|]]` and `[[|label]]`. Time stays linear: titles have at most 512 letters, and no part matches `[`.
 */
const LINK_WITHOUT_LABEL = /\[\[([^[\]{}<>|\n]{1,512})\|\]\]|\[\[\|([^[\]{}<>|\n]{1,512})\]\]/g
const CONTEXT = /, |，|، /
const BRACKETS_AT_END = /(?<=.)(?: ?\([^()]+\)| ?（[^（）]+）)$/
const AFTER_COMMA = /(?<=.)(?:, |，|، ).+$/

/**
 * Completes links with an empty part, outside comments and tags such as nowiki:
 * - `[[Help:Foo (bar)|]]` becomes `[[Help:Foo (bar)|Foo]]`, and `[[Foo, Bar|]]` becomes `[[Foo, Bar|Foo]]`
 * - `[[|Sun]]` becomes `[[Sun (film)|Sun]]` on a page `Moon (film)`, and `[[Sun, Kansas|Sun]]` on `Moon, Kansas`
 *
 * `pageTitle` is in reading form, without namespace. Undefined when the result would be longer than `maxLength` units.
 */
export function labelLinks(text: string, pageTitle: string, maxLength: number): string | undefined {
  if (!text.includes('|]]') && !text.includes('[[|')) return text
  const qualifier = (BRACKETS_AT_END.exec(pageTitle) ?? AFTER_COMMA.exec(pageTitle))?.[0] ?? ''
  const completeLink = ([link, title, label]: RegExpExecArray): string => {
    if (title !== undefined) return `[[${title}|${shortForm(title) || title}]]`
    if (label === undefined) return link
    return qualifier === '' ? `[[${label}]]` : `[[${label}${qualifier}|${label}]]`
  }
  return replaceOutside(text, findLiteralParts(text), LINK_WITHOUT_LABEL, completeLink, maxLength)
}

/** The title without its prefix, the part in brackets at its end, and the part after a comma. */
function shortForm(title: string): string {
  const unmarked = title.startsWith(':') ? title.slice(1) : title
  const name = unmarked.slice(unmarked.indexOf(':') + 1)
  const unqualified = withoutBrackets(name)
  if (unqualified !== name) return unqualified.trim()
  const context = name.search(CONTEXT)
  return withoutBrackets(context > 0 ? name.slice(0, context) : name).trim()
}

function withoutBrackets(name: string): string {
  const [open, close] = name.endsWith('）') ? ['（', '）'] : ['(', ')']
  const start = name.indexOf(open)
  return name.endsWith(close) && start > 0 ? name.slice(0, start) : name
}
