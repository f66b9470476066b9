/** Looks through HTML as a browser reads it for all that could run, load, send, or lead somewhere else by itself. */
import { createRequire } from 'node:module'
// The package changes its DOM while it loads it, so it must come first.
import './engine.js'

interface Attribute {
  readonly name: string
  readonly value: string
}

interface Element {
  readonly localName: string
  readonly namespaceURI: string
  readonly attributes: ArrayLike<Attribute>
  readonly textContent: string
  getAttribute(name: string): string | null
}

interface Document {
  querySelectorAll(selector: string): ArrayLike<Element>
}

interface Parser {
  createDocument(this: void, html: string): Document
}

const { createDocument } = createRequire(import.meta.url)('domino') as Parser

const HTML = 'http://www.w3.org/1999/xhtml'
const MATHML = 'http://www.w3.org/1998/Math/MathML'
/** Allowed elements in the HTML of wikitext; the head has others. Any other element is suspicious. */
const BODY_ELEMENTS: ReadonlySet<string> = new Set(
  `a abbr area audio b bdi bdo big blockquote br caption center cite code data dd del dfn div dl dt em figcaption figure
   figure-inline font h1 h2 h3 h4 h5 h6 hr i img ins kbd li link map mark meta ol p pre q rb rp rt rtc ruby s samp section
   small source span strike strong style sub sup table tbody td th time tr track tt u ul var video wbr`.split(
    /\s+/,
  ),
)
const HEAD_ELEMENTS: ReadonlySet<string> = new Set(['html', 'head', 'title', 'base', 'body'])
/** MathML that shows a formula: none of what can hold other languages or has actions. */
const MATHML_ELEMENTS =
  /^(?:math|mrow|mi|mn|mo|ms|mtext|m(?:space|style|padded|phantom|error|frac|sqrt|root)|m(?:sub|sup|subsup|over|under|underover|multiscripts|prescripts|table|tr|td|enclose)|none)$/
const URL_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src srcset poster action formaction xlink:href data cite longdesc background ping resource'.split(
    ' ',
  ),
)
const RUNNING_SCHEME = /^(?:javascript|vbscript|livescript|data|blob|filesystem|about|view-source):/i
const RUNNING_STYLE =
  /url|expression|behaviou?r|image-set|(?<!gradient)\bimage\(|\bsrc\(|cross-fade|element\(|paint\(|javascript|vbscript|@import|accelerator|-o-link/i
/** Relations that say something of the page and make a browser fetch nothing. */
const TELLING_LINK = /^(?:mw:|dc:)/
const TELLING_META = /^(?:content-language|vary)$/

/** One line for each finding; empty if nothing in the HTML is active. */
export function activeContent(html: string): string[] {
  const document = createDocument(html)
  const elements = Array.from(document.querySelectorAll('*'))
  const bases = elements.filter(({ localName }) => localName === 'base')
  return [
    ...(bases.length > 1 ? ['more than one base'] : []),
    ...elements.flatMap((element) => [
      ...elementFindings(element),
      ...Array.from(element.attributes).flatMap((attribute) => attributeFindings(element, attribute)),
    ]),
  ]
}

/** Attributes of elements that would have a browser ask the server `evil.example`, or whose styles do. */
export function loadedAddresses(html: string): string[] {
  return Array.from(createDocument(html).querySelectorAll('*')).flatMap((element) =>
    Array.from(element.attributes)
      .filter(({ name, value }) => LOADING_ATTRIBUTES.has(name) && plainCss(value).includes('evil.example'))
      .map(({ name, value }) => `${element.localName} ${name}="${value}"`),
  )
}

const LOADING_ATTRIBUTES: ReadonlySet<string> = new Set(
  'src srcset poster background ping lowsrc dynsrc data formaction action style xlink:href profile manifest'.split(
    ' ',
  ),
)

function elementFindings(element: Element): string[] {
  const { localName, namespaceURI, textContent } = element
  const found = [`element ${localName}`]
  if (namespaceURI === MATHML) return MATHML_ELEMENTS.test(localName) ? [] : found
  if (namespaceURI !== HTML) return found
  if (!BODY_ELEMENTS.has(localName) && !HEAD_ELEMENTS.has(localName)) return found
  if (localName === 'link' && leadsSomewhere(element)) return found
  if (localName === 'meta' && !TELLING_META.test(element.getAttribute('http-equiv') ?? 'vary')) return found
  if (localName === 'style' && RUNNING_STYLE.test(plainCss(textContent))) return [`style ${textContent}`]
  return []
}

/** A link without a target is the mark of a tag that shows nothing. */
function leadsSomewhere(link: Element): boolean {
  const relation = link.getAttribute('rel')
  return relation === null ? link.getAttribute('href') !== null : !TELLING_LINK.test(relation)
}

function attributeFindings({ localName }: Element, { name, value }: Attribute): string[] {
  const found = [`${localName} ${name}="${value}"`]
  if (/^on|^srcdoc$|^formaction$|[\s"'<>=/`]/i.test(name)) return found
  // Browsers leave out blanks and control characters when they look for the scheme.
  if (URL_ATTRIBUTES.has(name) && RUNNING_SCHEME.test(value.replace(/[\u0000- \u007f-\u00a0]/g, '')))
    return found
  if (name === 'style' && RUNNING_STYLE.test(plainCss(value))) return found
  return name === 'data-mw' ? descriptionFindings(value) : []
}

/** A description can hold HTML, such as a caption, that a client puts into its page. */
function descriptionFindings(json: string): string[] {
  const findings: string[] = []
  JSON.parse(json, (key, value: unknown) => {
    if ((key === 'html' || key === 'caption') && typeof value === 'string')
      findings.push(...activeContent(value))
    return value
  })
  return findings
}

/** A declaration as a browser understands it: without comments and escapes. */
function plainCss(css: string): string {
  const decoded = css.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gis, (_escape, hex?: string, sign?: string) => {
    const code = Number.parseInt(hex ?? '', 16)
    return hex === undefined ? (sign ?? '') : code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
  return decoded.replace(/\/\*.*?\*\//gs, '')
}
