/** The displayed title of a page as HTML: only emphasis of its letters survives. */
import { decodeCharacterReferences } from './characterReferences.js'
import { escapeHtml } from './html.js'

const MAX_LENGTH = 2000
const MARKUP = /'''''|'''|''|<(\/?)(i|b|em|strong|sub|sup|s|small)>|<[^<>]*>/gi
const OF_QUOTES: Readonly<Record<string, readonly string[]>> = {
  "''": ['i'],
  "'''": ['b'],
  "'''''": ['b', 'i'],
}

/**
 * From wikitext, or from HTML of MediaWiki. Undefined if the markup is not balanced: the page then shows its plain
 * title.
 */
export function displayTitleHtml(markup: string): string | undefined {
  if (markup.length > MAX_LENGTH) return undefined
  const open: string[] = []
  let html = ''
  let at = 0
  for (const found of markup.matchAll(MARKUP)) {
    html += shown(markup.slice(at, found.index))
    at = found.index + found[0].length
    const [whole, slash, name] = found
    const quotes = OF_QUOTES[whole]
    if (quotes !== undefined) html += toggle(quotes, open)
    else if (name !== undefined && slash === '') html += opened(name.toLowerCase(), open)
    else if (name !== undefined && open.pop() !== name.toLowerCase()) return undefined
    else if (name !== undefined) html += `</${name.toLowerCase()}>`
  }
  return open.length === 0 ? html + shown(markup.slice(at)) : undefined
}

const shown = (text: string): string => escapeHtml(decodeCharacterReferences(text))

function opened(name: string, open: string[]): string {
  open.push(name)
  return `<${name}>`
}

/** Quotes close what quotes have opened last, else they open. */
function toggle(names: readonly string[], open: string[]): string {
  const isClosing = names.every((_name, n) => open.at(-1 - n) === names[names.length - 1 - n])
  if (!isClosing) return names.map((name) => opened(name, open)).join('')
  return names.map(() => `</${open.pop()!}>`).join('')
}
