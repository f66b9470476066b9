/** Formulas as TeX: as the author wrote them, or made again of their MathML. */
import type { Element } from './tree.js'

const MATH_ELEMENT = 'mwe-math-element'

/** Whether an element is a formula with all that belongs to it. */
export const isFormula = (element: Element): boolean =>
  element.name === 'math' || element.has('class', MATH_ELEMENT) || element.has('class', 'texerror')

export interface Formula {
  readonly tex: string
  /** Whether it stands in a line of its own. */
  readonly isBlock: boolean
}

export function formulaOf(element: Element): Formula {
  const math = element.name === 'math' ? element : element.find(({ name }) => name === 'math')
  const isBlock =
    element.has('class', `${MATH_ELEMENT}-block`) || math?.attribute('display').trim() === 'block'
  const written = writtenTex(element) ?? (math && annotatedTex(math)) ?? (math ? texOf(math) : element.text)
  return { tex: written.replace(/\s+/g, ' ').trim(), isBlock }
}

/** The description of an extension tag has its source, unless a template wrote the tag. */
function writtenTex(element: Element): string | undefined {
  const description = element.attribute('data-mw')
  if (!description.includes('"extsrc"')) return undefined
  try {
    const { name, body } = JSON.parse(description) as { name?: unknown; body?: { extsrc?: unknown } }
    if (typeof body?.extsrc !== 'string') return undefined
    return name === 'ce' || name === 'chem' ? `\\ce{${body.extsrc}}` : body.extsrc
  } catch {
    return undefined
  }
}

function annotatedTex(math: Element): string | undefined {
  const annotation = math.find(
    (inside) => inside.name === 'annotation' && inside.attribute('encoding').trim() === 'application/x-tex',
  )
  const tex = annotation?.text ?? math.attribute('alttext')
  return tex === '' ? undefined : tex.replace(/^\{\\displaystyle\s?([^]*)\}$/, '$1')
}

/** Elements whose children are the arguments of a command. */
const COMMANDS: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  mfrac: ([above = '', below = '']) => `\\frac{${above}}{${below}}`,
  msup: ([base = '', above = '']) => `${base}^{${above}}`,
  msub: ([base = '', below = '']) => `${base}_{${below}}`,
  msubsup: ([base = '', below = '', above = '']) => `${base}_{${below}}^{${above}}`,
  munder: ([base = '', below = '']) => `${base}_{${below}}`,
  mover: ([base = '', above = '']) => `${base}^{${above}}`,
  munderover: ([base = '', below = '', above = '']) => `${base}_{${below}}^{${above}}`,
  msqrt: (parts) => `\\sqrt{${parts.join(' ')}}`,
  mroot: ([base = '', index = '']) => `\\sqrt[${index}]{${base}}`,
  mtd: (parts) => parts.join(' '),
  mtr: (cells) => cells.join(' & '),
  mtable: (rows) => `\\begin{matrix}${rows.join(' \\\\ ')}\\end{matrix}`,
  mspace: () => '\\,',
  mtext: (parts) => `\\text{${parts.join('')}}`,
}
const IGNORED: ReadonlySet<string> = new Set(['annotation', 'annotation-xml', 'mphantom'])

function texOf(element: Element): string {
  const parts = element.children
    .map((child) => (typeof child === 'string' ? child.trim() : IGNORED.has(child.name) ? '' : texOf(child)))
    .filter((part, at) => part !== '' || typeof element.children[at] !== 'string')
  return COMMANDS[element.name]?.(parts) ?? parts.join(parts.length > 1 ? ' ' : '')
}
