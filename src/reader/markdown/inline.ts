/** Text within a block: emphasis, links, code, formulas and marks of notes. */
import { decodePercent } from '../../domain/percent.js'
import { Element } from './tree.js'
import { isDropped, isNoteMark, type Place, type Walk } from './form.js'
import { formulaOf, isFormula } from './formulas.js'
import {
  BREAK,
  EMPHASIS,
  escapeLineStart,
  escapeText,
  resolveMarks,
  STRIKE,
  STRONG,
  withoutMarks,
} from './marks.js'

const BLANKS = /[\s\u00a0]+/g
const MAX_ADDRESS = 2000
const WEB_ADDRESS =
  /^(?:(?:https?|ftps?|ircs?|git|svn|gopher|news|nntp):)?\/\/|^(?:mailto|tel|sip|urn|geo|magnet):/i

/** The lines of a block: one, and a further one after each break that an author wrote. */
export function linesOf(nodes: readonly (Element | string)[], walk: Walk, place: Place = {}): string[] {
  const raw = inline(nodes, walk, place)
  const written = walk.form === 'text' ? raw : resolveMarks(raw)
  return written
    .split(BREAK)
    .map((line) => line.replace(/ +/g, ' ').trim())
    .filter((line) => line !== '')
}

/** A paragraph, or nothing. */
export function paragraphOf(nodes: readonly (Element | string)[], walk: Walk, place: Place = {}): string {
  const lines = linesOf(nodes, walk, place)
  return walk.form === 'text' ? lines.join('\n') : lines.map(escapeLineStart).join('\\\n')
}

function inline(nodes: readonly (Element | string)[], walk: Walk, place: Place): string {
  const parts: string[] = []
  for (const node of nodes) {
    const text = typeof node === 'string' ? plain(node, walk, place) : inlineElement(node, walk, place)
    if (text === '') continue
    // To look at the end of a text that grows takes as long as the text.
    const last = parts.length - 1
    if (last >= 0 && walk.form === 'markdown') parts[last] = beforeText(parts[last]!, text)
    parts.push(text)
  }
  return parts.join('')
}

/**
 * A text whose last sign must not act together with the next one: `!` before a link, `&` before a name, and the end of
 * code before further code.
 */
function beforeText(text: string, next: string): string {
  if (text.at(-2) === '\\') return text
  if (text.endsWith('`') && next.startsWith('`')) return `${text} `
  const isPicture = text.endsWith('!') && next.startsWith('[')
  const isReference = text.endsWith('&') && /^[#A-Za-z]/.test(next)
  return isPicture || isReference ? `${text.slice(0, -1)}\\${text.at(-1)}` : text
}

function plain(text: string, { form }: Walk, { isInTable, isInLink }: Place): string {
  const words = withoutMarks(text).replace(BLANKS, ' ')
  if (form === 'text') return words
  const escaped = escapeText(words)
  const inLink = isInLink === true ? escaped.replaceAll(']', '\\]') : escaped
  return isInTable === true ? inLink.replaceAll('|', '\\|') : inLink
}

function inlineElement(element: Element, walk: Walk, place: Place): string {
  if (isFormula(element)) return formula(element, walk, place)
  if (isNoteMark(element)) return noteMark(element, walk)
  if (element.has('rel', 'mw:PageProp/redirect')) return redirect(element, walk, place)
  if (isDropped(element)) return ''
  const { name, children } = element
  switch (name) {
    case 'br':
      return BREAK
    case 'b':
    case 'strong':
      if (place.isStrong === true) break
      return marked(inline(children, walk, { ...place, isStrong: true }), STRONG, walk)
    case 'i':
    case 'em':
    case 'cite':
    case 'dfn':
    case 'var':
      if (place.isEmphasis === true) break
      return marked(inline(children, walk, { ...place, isEmphasis: true }), EMPHASIS, walk)
    case 's':
    case 'del':
    case 'strike':
      if (place.isStruck === true) break
      return marked(inline(children, walk, { ...place, isStruck: true }), STRIKE, walk)
    case 'sub':
    case 'sup':
      return raised(name, inline(children, walk, place), walk)
    case 'q':
      return `“${inline(children, walk, place).trim()}”`
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      return code(element.text, walk, place)
    case 'a':
      return link(element, walk, place)
    default:
  }
  const inside = inline(children, walk, place)
  // A block where only text can be, such as in a heading.
  return name !== 'span' && element.hasBlock ? `${inside} ` : inside
}

/** Blanks go outside: signs beside blanks do not act. */
function marked(text: string, [start, end]: readonly [string, string], { form }: Walk): string {
  const words = text.trim()
  if (form === 'text' || words === '' || words.includes(BREAK)) return text
  const [before] = /^\s*/.exec(text)!
  return `${before}${start}${words}${end}${text.slice(before.length + words.length)}`
}

function raised(name: 'sub' | 'sup', text: string, { form }: Walk): string {
  if (text.trim() === '') return text
  if (form === 'markdown') return `<${name}>${text.trim()}</${name}>`
  return name === 'sup' && /^[\p{L}\p{N}+−-]{1,9}$/u.test(text) ? `^${text}` : text
}

export function code(text: string, { form }: Walk, { isInTable }: Place): string {
  const words = withoutMarks(text).replace(BLANKS, ' ').trim()
  if (form === 'text' || words === '') return words
  const fence = '`'.repeat(longestRun(words, /`+/g) + 1)
  const padding = /^`|`$/.test(words) ? ' ' : ''
  const inside = isInTable === true ? words.replaceAll('|', '\\|') : words
  return fence + padding + inside + padding + fence
}

export const longestRun = (text: string, runs: RegExp): number =>
  (text.match(runs) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

function formula(element: Element, { form }: Walk, { isInTable }: Place): string {
  const { tex, isBlock } = formulaOf(element)
  if (form === 'text' || tex === '') return tex
  // TeX does not see the blank, without which programs that know no formulas would see HTML.
  const noTags = tex.replace(/<(?=[a-zA-Z/!?])/g, '< ')
  const inside = isInTable === true ? noTags.replaceAll('|', '\\vert ') : noTags
  return isBlock ? `$$${inside}$$` : `$${inside}$`
}

function noteMark(element: Element, { form, notes, noteNumbers }: Walk): string {
  if (form === 'text' || notes === 'none') return ''
  const href = element.find(({ name }) => name === 'a')?.attribute('href') ?? ''
  const hash = href.indexOf('#')
  if (hash < 0) return ''
  const id = decodePercent(href.slice(hash + 1))
  const number = noteNumbers.get(id) ?? noteNumbers.size + 1
  noteNumbers.set(id, number)
  return `[^${number}]`
}

function link(element: Element, walk: Walk, place: Place): string {
  const { form, links } = walk
  const words = inline(element.children, walk, { ...place, isInLink: true })
  const href = element.attribute('href').trim()
  const isPage = href.startsWith('./')
  if (form === 'text' || place.isInLink === true || href.length > MAX_ADDRESS)
    return words.trim() === '' && !isPage ? href : words
  if (!isPage) return WEB_ADDRESS.test(href) ? externalLink(words, href, place) : words
  // A link to a place of this page, and one to a page that does not exist.
  if (links === 'words' || words.trim() === '' || element.has('class', 'new')) return words
  if (links !== 'titles') return withAddress(words, links.below + href.slice(2))
  const title = titleIn(href)
  const bar = place.isInTable === true ? '\\|' : '|'
  const shown = words.trim()
  if (/[[\]|\n<>]/.test(title)) return words
  return shown === title || escapeText(title) === shown ? `[[${title}]]` : `[[${title}${bar}${shown}]]`
}

/** A redirect page has nothing but this. */
function redirect(element: Element, walk: Walk, place: Place): string {
  const target = new Element('a', element.attributes, undefined)
  target.children.push(titleIn(element.attribute('href')))
  return `→ ${link(target, walk, place)}`
}

const titleIn = (href: string): string =>
  decodePercent(href.slice(2).replace(/\?[^#]*/, ''))
    .replaceAll('_', ' ')
    .replace(/^:/, '')

function externalLink(words: string, href: string, place: Place): string {
  const shown = words.trim()
  const isAddress = shown === '' || shown === href || shown === escapeText(href)
  if (!isAddress) return withAddress(words, href)
  if (place.isInTable !== true && /^[a-z]+:[^\s<>\\]+$/i.test(href)) return `<${href}>`
  return withAddress(escapeText(href).replaceAll(/[\]|]/g, '\\$&'), href)
}

function withAddress(words: string, address: string): string {
  const safe = withoutMarks(address).replace(/[\s()<>\\|`]/g, encodeSign)
  const shown = words.trim()
  const start = words.indexOf(shown)
  return `${words.slice(0, start)}[${shown.replaceAll(BREAK, ' ')}](${safe})${words.slice(start + shown.length)}`
}

const encodeSign = (sign: string): string =>
  sign === '(' ? '%28' : sign === ')' ? '%29' : encodeURIComponent(sign)
