/**
 * Keeps templates in a line that begins like a table cell outside of any table, as in `| {{Rose}} | red`. Such a line
 * is text, and the engine tokenizes it again as text. By then it has already expanded the templates as cell attributes,
 * and so it lost them.
 */
import type { Load } from './sourceEdits.js'

type Token = string | TagToken

interface TagToken {
  readonly name?: string
  readonly attribs?: readonly { readonly k: unknown; readonly v: unknown }[]
  readonly dataAttribs?: { readonly tsr?: readonly (number | null)[] }
  getAttribute?(name: string): string | null
}

interface AttributeExpanderClass {
  readonly prototype: {
    buildExpandedAttrs: (this: unknown, token: TagToken, expanded: TagToken['attribs']) => unknown
  }
}

interface StreamPatcherClass {
  readonly prototype: { _convertTokenToString: (this: unknown, token: TagToken) => Token[] }
}

const CELLS: ReadonlySet<string> = new Set(['td', 'th', 'tr', 'caption', 'table'])

/** Templates, functions and arguments. */
const BRACED: ReadonlySet<string> = new Set(['template', 'templatearg'])
const START_MARK = /^mw:(?:Transclusion|Param)$/

/** Expansions of the templates among a cell's attributes, by their start in the source. */
type Expansions = ReadonlyMap<number, readonly Token[]>

export function patchLooseCells(load: Load): void {
  const { AttributeExpander } = load<{ AttributeExpander: AttributeExpanderClass }>(
    'lib/wt2html/tt/AttributeExpander.js',
  )
  const { TokenStreamPatcher } = load<{ TokenStreamPatcher: StreamPatcherClass }>(
    'lib/wt2html/tt/TokenStreamPatcher.js',
  )
  const { Util } = load<{ Util: { clone<Value>(value: Value): Value } }>('lib/utils/Util.js')
  const expansionsOf = new WeakMap<TagToken, Expansions>()
  const expander = AttributeExpander.prototype
  const buildExpandedAttrs = expander.buildExpandedAttrs
  expander.buildExpandedAttrs = function (token, expanded) {
    if (CELLS.has(token.name ?? '')) {
      const tokens = (expanded ?? []).flatMap(({ k, v }) => [k, v].filter(Array.isArray).flat() as Token[])
      // Cloned, since the expander changes the tokens later.
      expansionsOf.set(token, readExpansions(Util.clone(tokens)))
    }
    return buildExpandedAttrs.call(this, token, expanded)
  }
  const patcher = TokenStreamPatcher.prototype
  const convertTokenToString = patcher._convertTokenToString
  patcher._convertTokenToString = function (token) {
    const expansions = expansionsOf.get(token)
    const text = convertTokenToString.call(this, token)
    if (expansions === undefined || expansions.size === 0) return text
    return text.flatMap((part) => {
      const isBraced = typeof part !== 'string' && BRACED.has(part.name ?? '')
      return (isBraced ? expansions.get(part.dataAttribs?.tsr?.[0] ?? -1) : undefined) ?? [part]
    })
  }
}

/** Collects tokens from the mark at a template's start to the mark at its end; both have the same `about`. */
function readExpansions(tokens: readonly Token[]): Expansions {
  const expansions = new Map<number, readonly Token[]>()
  for (let at = 0; at < tokens.length; at++) {
    const start = tokens[at]!
    const from = typeof start === 'string' ? undefined : start.dataAttribs?.tsr?.[0]
    const mark = markOf(start)
    if (!START_MARK.test(mark) || typeof from !== 'number') continue
    const about = aboutOf(start)
    const end = tokens.findIndex((token) => markOf(token) === `${mark}/End` && aboutOf(token) === about)
    if (end < at) continue
    expansions.set(from, tokens.slice(at, end + 1))
    at = end
  }
  return expansions
}

function markOf(token: Token): string {
  const isMark = typeof token !== 'string' && token.name === 'meta'
  return isMark ? (token.getAttribute?.('typeof') ?? '') : ''
}

function aboutOf(token: Token): string | null | undefined {
  return typeof token === 'string' ? undefined : token.getAttribute?.('about')
}
