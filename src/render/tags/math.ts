/** `<math>`, `<ce>` and `<chem>`: TeX formulas as MathML, which browsers show without scripts. */
import { createRequire } from 'node:module'
import { escapeHtml } from '../../domain/html.js'
import type { ExtensionTag } from './tag.js'

const MAX_FORMULA_LENGTH = 20_000
const MAX_EXPANSIONS = 1000
const MATH_TAG = /^<math\b[^>]*>/

interface Temml {
  renderToString(formula: string, options: Readonly<Record<string, unknown>>): string
}

export function renderMath({ name, attributes, content }: ExtensionTag): string {
  const formula = content.trim()
  if (formula.length > MAX_FORMULA_LENGTH) return mathError(formula, 'the formula is too long')
  const display = attributes.get('display')
  const block = display === 'block'
  const isText = display === 'inline'
  const isChemistry = name !== 'math' || attributes.get('chem') !== undefined
  const require = createRequire(import.meta.url)
  const temml = require('temml') as Temml
  let mathml: string
  try {
    mathml = temml.renderToString(isChemistry ? `\\ce{${formula}}` : texOf(formula), {
      displayMode: !isText,
      // Formulas must not contain links, images or classes.
      trust: false,
      maxExpand: MAX_EXPANSIONS,
      throwOnError: true,
    })
  } catch (error) {
    return mathError(formula, error instanceof Error ? error.message : String(error))
  }
  // As in MediaWiki, a formula without `display` stands in its line, with the sums and fractions of a display.
  if (!block && !isText) mathml = mathml.replace(MATH_TAG, '<math displaystyle="true">')
  const kind = block ? 'mwe-math-element-block' : 'mwe-math-element-inline'
  return `<span class="mwe-math-element ${kind}">${mathml}</span>`
}

/** Commands of MediaWiki's TeX that standard TeX names differently. */
const TEX_NAMES: ReadonlyMap<string, string> = new Map([
  ['and', '\\land'],
  ['or', '\\lor'],
  ['part', '\\partial'],
  ['isin', '\\in'],
  ['nexist', '\\nexists'],
  ['sub', '\\subset'],
  ['sube', '\\subseteq'],
  ['supe', '\\supseteq'],
  ['empty', '\\emptyset'],
  ['alef', '\\aleph'],
  ['plusmn', '\\pm'],
  ['ang', '\\angle'],
  ['hAar', '\\Leftrightarrow'],
  ['para', '\\P'],
  ['Q', '\\mathbb{Q}'],
  ['C', '\\mathbb{C}'],
  ['H', '\\mathbb{H}'],
  ['bold', '\\mathbf'],
  ['mbox', '\\text'],
  ['vbox', '\\text'],
  ['arccot', '\\operatorname{arccot}'],
  ['arcsec', '\\operatorname{arcsec}'],
  ['arccsc', '\\operatorname{arccsc}'],
  ['geneuro', '\\euro'],
  ['geneuronarrow', '\\euro'],
  ['geneurowide', '\\euro'],
  ['officialeuro', '\\euro'],
])
const TEX_WORD = /\\([A-Za-z]+)/g
/** In standard TeX, these environments make separate lines with equation numbers. */
const LINE_ENVIRONMENT = /\\(begin|end)\s*\{(align|gather)\*?\}/g
/** `alignat` states the number of its columns, which `aligned` does not need. */
const COUNTED_ENVIRONMENT = /\\(?:begin\s*\{alignat\*?\}\s*\{[^{}]*\}|(end)\s*\{alignat\*?\})/g

function texOf(formula: string): string {
  return formula
    .replace(TEX_WORD, (word, name: string) => TEX_NAMES.get(name) ?? word)
    .replace(COUNTED_ENVIRONMENT, (_environment, end?: string) => `\\${end ?? 'begin'}{aligned}`)
    .replace(LINE_ENVIRONMENT, (_environment, side: string, name: string) => `\\${side}{${name}ed}`)
}

function mathError(formula: string, reason: string): string {
  const firstLine = reason.split('\n', 1)[0] ?? ''
  return `<strong class="error texerror" title="${escapeHtml(firstLine)}"><code>${escapeHtml(formula)}</code></strong>`
}
