/**
 * The style sheets of a wiki: `MediaWiki:Common.css` and that of the skin. They are cleaned as those of templates are,
 * and reach the content alone. Their authors know light pages, so their colours get a dark side:
 *
 *     boxes that our own sheet knows, such as .navbox   colours are theirs in the light theme, ours in the dark one
 *     other elements with a background                  stay light, with all that is inside of them
 *     texts with a colour alone                         get lighter in the dark theme
 */
import type { CssNode, Declaration, List, ListItem, Rule } from 'css-tree'
import { BESIDE, CLASSES, loadCssTree, sanitised, SCOPE } from './templateStyles.js'

/** Elements around the content, with the classes that they have here as there. */
const AROUND = String.raw`(?:html|body|:root|#(?:content|bodyContent|mw-content-text|mw_content)|\.(?:mw-body|mw-body-content|mw-content-ltr|mw-content-rtl|mw-parser-output|mw-page-container|vector-body|skin-vector|skin-vector-2022|mediawiki))(?:\.(?:skin-vector|skin-vector-2022|mediawiki|mw-body|mw-body-content|mw-parser-output))*`
const CONTAINERS = new RegExp(`^(?:${AROUND}(?:\\s*>\\s*|\\s+|$))+`, 'i')
/** The page has scripts. */
const SCRIPTED = /^(?:html)?\.client-js\s+/i
/** Conditions on the document that this server does not know. They match nothing. */
const UNKNOWN = new RegExp(`^(?:html|body)${CLASSES}`, 'i')
/** Classes whose colours our own sheet has for both themes. */
const THEMED =
  /\.(?:wikitable|infobox|navbox|sidebar|ambox|tmbox|ombox|cmbox|imbox|fmbox|mbox|hatnote|toccolours|thumb|gallery|toc)\b/
/** Of a rule that lost all its selectors. */
const NOTHING = `${SCOPE} :not(*)`
const NO_PAINT = /^(?:none|transparent|inherit|initial|unset|0)\b/i
const NOT_A_COLOR = /^(?:transparent|currentcolor|inherit|initial|unset|revert|none|var\(|light-dark\()/i
const TOKENS: readonly (readonly [property: RegExp, token: string])[] = [
  [/^background/, 'var(--background-color-neutral-subtle)'],
  [/^(?:border|outline)/, 'var(--border-color-base)'],
  [/^color$/, 'var(--color-base)'],
]

/** `lightTokens` are declarations for what stays light. */
export function wikiSheet(sheets: readonly string[], lightTokens: string): string {
  const painted = new Set<string>()
  const clean = sheets.map((sheet) => sanitised(sheet, SCOPE, scoped, (tree) => adaptToThemes(tree, painted)))
  const light = [...painted].join(',').replaceAll('<', '\\3C ')
  const island =
    light === '' ? '' : `:where(${light}){color-scheme:light;${lightTokens}color:var(--color-base)}\n`
  return island + clean.join('\n')
}

function scoped(selector: string): string | undefined {
  const outer = SCRIPTED.test(selector) ? 'html.client-js ' : ''
  const inner = selector.replace(SCRIPTED, '').replace(CONTAINERS, '')
  if (inner === '' || BESIDE.test(inner) || UNKNOWN.test(inner)) return undefined
  return `${outer}${SCOPE} ${inner}`
}

function adaptToThemes(tree: CssNode, painted: Set<string>): void {
  const { generate, walk } = loadCssTree()
  const colors = new Colors()
  walk(tree, {
    visit: 'Rule',
    enter(rule: Rule, item: ListItem<CssNode>, list: List<CssNode> | undefined) {
      if (generate(rule.prelude) === NOTHING) return list?.remove(item)
      if (/keyframes$/i.test(this.atrule?.name ?? '')) return
      const selectors = generate(rule.prelude)
      if (THEMED.test(selectors)) eachColor(rule, colors, (token, color) => `light-dark(${color},${token})`)
      else if (paints(rule)) for (const selector of splitSelectors(rule)) painted.add(selector)
      else
        eachColor(rule, colors, (token, color) => (token.startsWith('var(--color') ? readable(color) : color))
    },
  })
}

/** The same colour, light enough for dark paper. */
const readable = (color: string): string => `light-dark(${color},oklch(from ${color} max(l,.7) c h))`

function splitSelectors({ prelude }: Rule): string[] {
  const { generate } = loadCssTree()
  return prelude.type === 'SelectorList' ? prelude.children.toArray().map((each) => generate(each)) : []
}

const declarationsOf = ({ block }: Rule): Declaration[] =>
  block.children.toArray().filter((node) => node.type === 'Declaration')

function paints(rule: Rule): boolean {
  const { generate } = loadCssTree()
  return declarationsOf(rule).some(
    ({ property, value }) => /^background(?:-color)?$/i.test(property) && !NO_PAINT.test(generate(value)),
  )
}

/** Tells which words are colours. A sheet has few of them, each many times. */
class Colors {
  readonly #known = new Map<string, boolean>()

  has(word: string): boolean {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const isColor = !NOT_A_COLOR.test(word) && loadCssTree().lexer.matchType('color', word).matched !== null
    this.#known.set(word, isColor)
    return isColor
  }
}

/** Replaces the colours of declarations that have a token. */
function eachColor(rule: Rule, colors: Colors, change: (token: string, color: string) => string): void {
  const { generate, walk } = loadCssTree()
  for (const { property, value } of declarationsOf(rule)) {
    const token = TOKENS.find(([name]) => name.test(property.toLowerCase()))?.[1]
    if (token === undefined || value.type === 'Raw') continue
    const found: { item: ListItem<CssNode>; color: string }[] = []
    walk(value, (node: CssNode, item: ListItem<CssNode> | null) => {
      if (item === null || !/^(?:Hash|Identifier|Function)$/.test(node.type)) return
      const color = generate(node)
      if (colors.has(color)) found.push({ item, color })
    })
    for (const { item, color } of found) item.data = { type: 'Raw', value: change(token, color) }
  }
}
