/** `<math>`, `<ce>` and `<chem>`: formulas in TeX as MathML, which browsers show without scripts. */
import { createRequire } from 'node:module'
import { escapeHtml } from '../escape.js'
import type { ExtensionTag } from './tag.js'

const MAX_FORMULA_LENGTH = 20_000
const MAX_EXPANSIONS = 1000

interface Temml {
  renderToString(formula: string, options: Readonly<Record<string, unknown>>): string
}

export function renderMath({ name, attributes, content }: ExtensionTag): string {
  const formula = content.trim()
  if (formula.length > MAX_FORMULA_LENGTH) return mathError(formula, 'the formula is too long')
  const display = attributes.get('display')
  const block = display === 'block'
  const isChemistry = name !== 'math' || attributes.get('chem') !== undefined
  const require = createRequire(import.meta.url)
  const temml = require('temml') as Temml
  let mathml: string
  try {
    mathml = temml.renderToString(isChemistry ? `\\ce{${formula}}` : texOf(formula), {
      displayMode: block,
      // Links, images and classes in formulas stay out.
      trust: false,
      maxExpand: MAX_EXPANSIONS,
      throwOnError: true,
    })
  } catch (error) {
    return mathError(formula, error instanceof Error ? error.message : String(error))
  }
  const kind = block ? 'mwe-math-element-block' : 'mwe-math-element-inline'
  return `<span class="mwe-math-element ${kind}">${mathml}</span>`
}

/** Words of MediaWiki's TeX that have other names elsewhere. */
function texOf(formula: string): string {
  return formula.replace(
    /\\(and|or|part|isin|sub|sube|supe|empty|alef|plusmn)(?![A-Za-z])/g,
    (word, name: string) => {
      return TEX_NAMES[name] ?? word
    },
  )
}

const TEX_NAMES: Readonly<Record<string, string>> = {
  and: '\\land',
  or: '\\lor',
  part: '\\partial',
  isin: '\\in',
  sub: '\\subset',
  sube: '\\subseteq',
  supe: '\\supseteq',
  empty: '\\emptyset',
  alef: '\\aleph',
  plusmn: '\\pm',
}

function mathError(formula: string, reason: string): string {
  const firstLine = reason.split('\n', 1)[0] ?? ''
  return `<strong class="error texerror" title="${escapeHtml(firstLine)}"><code>${escapeHtml(formula)}</code></strong>`
}
