/**
 * `<templatestyles src="Box/styles.css"/>`: the style sheet of a template. Sheets are restricted to rules inside the
 * page's own content. They must not load or run anything, or cover the rest of the screen.
 */
import { createRequire } from 'node:module'
import type * as CssTree from 'css-tree'
import type { CssNode, List, ListItem, Rule, WalkContext } from 'css-tree'
import { escapeHtml } from '../../domain/html.js'
import { BoundedCache } from '../../runtime/boundedCache.js'
import { loads } from '../html/styles.js'
import type { SourcePage } from '../html/sources.js'

const MAX_SHEET_LENGTH = 200_000
/** Of blocks in blocks. */
const MAX_DEPTH = 50
/** Classes, ids and attributes of one element. */
export const CLASSES = String.raw`(?:[.#][A-Za-z_][\w-]{0,100}|\[[a-z-]{1,50}(?:[~|^$*]?=(?:"[^"\\]{0,100}"|[\w-]{1,100}))?\])`
/** Conditions on the whole document, such as `html.client-js body.rtl `. They stay in front of the scope. */
const OUTER = new RegExp(`^(?:html${CLASSES}{0,9} (?:body${CLASSES}{0,9} )?|body${CLASSES}{0,9} )`, 'i')
const SIMPLE_SELECTOR = /^(?:[A-Za-z][A-Za-z0-9]{0,50})?(?:[.#][A-Za-z_][\w-]{0,100}){1,9}$/
/** The element that contains a page's content. */
export const SCOPE = '.mw-parser-output'
const ALLOWED_AT_RULES: ReadonlySet<string> = new Set(['media', 'supports', 'keyframes', '-webkit-keyframes'])
const FORBIDDEN_PROPERTIES = /^(?:behaviou?r|-moz-binding|-ms-behavior|-ms-filter|src)$/i
const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs attr blur brightness calc circle clamp color color-mix conic-gradient contrast cubic-bezier drop-shadow
   ellipse fit-content grayscale hsl hsla hue-rotate hwb inset invert lab lch linear-gradient matrix matrix3d max min
   minmax oklab oklch opacity perspective polygon radial-gradient repeat repeating-conic-gradient
   repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez saturate scale
   scale3d scalex scaley scalez sepia skew skewx skewy steps translate translate3d translatex translatey translatez
   var`.split(/\s+/),
)

/** Sanitises a sheet for a wrapper. */
type Sanitise = (sheet: string, wrapper: string) => string

const KEPT_CHARACTERS = 2_000_000

/** Keeps sanitised sheets between pages: each page with citations has the same one, which takes milliseconds. */
export function keptSheets(): Sanitise {
  const kept = new BoundedCache<string>(KEPT_CHARACTERS, (key, css) => key.length + css.length)
  return (sheet, wrapper) => {
    const key = `${wrapper}\0${sheet}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const css = sanitiseStyles(sheet, wrapper)
    kept.set(key, css)
    return css
  }
}

/** The `style` element for a sheet; an error element when the page does not exist. */
export function renderTemplateStyles(
  src: string,
  page: SourcePage | undefined,
  wrapper = '',
  sanitise: Sanitise = sanitiseStyles,
): string {
  if (page === undefined) {
    const text = `Page ${src} has no style sheet.`
    return `<strong class="error">${escapeHtml(text)}</strong>`
  }
  const css = sanitise(page.wikitext, wrapper)
  // Readers' tools drop a sheet with the mark of another, so sheets with other wrappers have other marks.
  const mark = isWrapper(wrapper) ? `/${wrapper.trim()}` : ''
  return `<style data-mw-deduplicate="TemplateStyles:r${page.revisionId}${mark}">${css}</style>`
}

/** The sheet without forbidden parts, with every rule scoped. `wrapper` is a simple selector inside the content. */
export function sanitiseStyles(sheet: string, wrapper = ''): string {
  const scope = isWrapper(wrapper) ? `${SCOPE} ${wrapper.trim()}` : SCOPE
  return sanitised(sheet, scope, (selector) => {
    const outer = OUTER.exec(selector)?.[0] ?? ''
    const inner = selector.slice(outer.length)
    return BESIDE.test(inner) ? undefined : `${outer}${scope} ${inner}`
  })
}

const isWrapper = (wrapper: string): boolean => SIMPLE_SELECTOR.test(wrapper.trim())

/** A sheet that another server has scoped: without forbidden parts, and without rules outside of the scope. */
export function cleanScopedSheet(sheet: string): string {
  return sanitised(sheet, SCOPE, (selector) =>
    selector.replace(OUTER, '').startsWith(SCOPE) ? selector : undefined,
  )
}

/** Gives the selector with its scope; undefined for one without effect. */
type ScopeSelector = (selector: string) => string | undefined

const require = createRequire(import.meta.url)

/** Loads the package on first use: its 123 modules would take a tenth of the start of a server. */
export function loadCssTree(): typeof CssTree {
  return require('css-tree') as typeof CssTree
}

/** For each error, the parser looks for line breaks in the whole sheet. */
const MAX_ERRORS = 500

class TooManyErrors extends Error {
  override readonly name = 'TooManyErrors'
}

/** Parts with errors are `Raw`. Undefined if there are too many. */
function parsed(sheet: string): CssNode | undefined {
  let errors = 0
  const onParseError = (): void => {
    if (++errors > MAX_ERRORS) throw new TooManyErrors()
  }
  try {
    return loadCssTree().parse(sheet, { parseCustomProperty: true, onParseError })
  } catch (error) {
    if (error instanceof TooManyErrors) return undefined
    throw error
  }
}

/** Changes a clean and scoped sheet. */
type Finish = (tree: CssNode) => void

export function sanitised(
  sheet: string,
  scope: string,
  scoped: ScopeSelector,
  finish: Finish = () => undefined,
): string {
  if (sheet.length > MAX_SHEET_LENGTH) return '/* too long */'
  if (isDeep(sheet)) return '/* nested too deeply */'
  const { generate, walk } = loadCssTree()
  const tree = parsed(sheet)
  if (tree === undefined) return '/* too many errors */'
  walk(tree, {
    enter(this: WalkContext, node: CssNode, item: ListItem<CssNode>, list: List<CssNode> | undefined) {
      if (node.type === 'Atrule' && !isAllowedAtRule(node)) list?.remove(item)
      else if (node.type === 'Declaration' && !isAllowedDeclaration(node)) list?.remove(item)
      else if (node.type === 'Comment' || node.type === 'Raw') list?.remove(item)
      else if (node.type === 'Rule' && this.rule !== null && this.rule !== node) list?.remove(item)
    },
  })
  walk(tree, {
    visit: 'Rule',
    enter(node) {
      if (!/keyframes$/i.test(this.atrule?.name ?? '')) scopeRule(node, scope, scoped)
    },
  })
  finish(tree)
  // Text cannot close the element, since CSS reads the escaped sign as the same character.
  return generate(tree).replaceAll('<', '\\3C ')
}

/** The parser needs stack for each level. Braces in texts count, too. */
function isDeep(sheet: string): boolean {
  let depth = 0
  for (const [sign] of sheet.matchAll(/[{}]/g)) {
    depth = Math.max(0, depth + (sign === '{' ? 1 : -1))
    if (depth > MAX_DEPTH) return true
  }
  return false
}

function isAllowedAtRule(node: CssNode & { type: 'Atrule' }): boolean {
  return ALLOWED_AT_RULES.has(node.name.toLowerCase()) && node.block !== null && node.prelude?.type !== 'Raw'
}

function isAllowedDeclaration(node: CssNode & { type: 'Declaration' }): boolean {
  const { generate, walk } = loadCssTree()
  if (FORBIDDEN_PROPERTIES.test(node.property) || !/^-?[A-Za-z][\w-]*$/.test(node.property)) return false
  if (node.value.type === 'Raw' || loads(generate(node.value))) return false
  const isPosition = node.property.toLowerCase() === 'position'
  let allowed = true
  walk(node.value, (part) => {
    if (part.type === 'Url' || part.type === 'Raw') allowed = false
    if (part.type === 'Function' && !ALLOWED_FUNCTIONS.has(part.name.toLowerCase())) allowed = false
    if (part.type === 'Identifier' && part.name.includes('\\')) allowed = false
    // Functions can take the word from elsewhere.
    if (
      isPosition &&
      (part.type === 'Function' || (part.type === 'Identifier' && /^fixed$/i.test(part.name)))
    )
      allowed = false
  })
  return allowed
}

/** Selects siblings of the scope's element. */
export const BESIDE = /^[~+|]/

/** Scopes each selector. A rule without valid selectors matches nothing. */
function scopeRule(node: Rule, scope: string, scoped: ScopeSelector): void {
  const { generate, List } = loadCssTree()
  const selectors =
    node.prelude.type === 'SelectorList'
      ? node.prelude.children.toArray().map((selector) => generate(selector))
      : []
  const kept = selectors.flatMap((selector) => (selector.includes('&') ? [] : (scoped(selector) ?? [])))
  // The selectors are those of the parser. To parse them again would take longer than all the rest.
  const values = kept.length === 0 ? [`${scope} :not(*)`] : kept
  const children = new List<CssNode>().fromArray(values.map((value) => ({ type: 'Raw', value })))
  node.prelude = { type: 'SelectorList', children }
}
