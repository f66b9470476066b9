/** Replaces rules in the source of the engine's grammar that read wikitext differently from MediaWiki. */
import type { Load } from './load.js'

interface TokenizerClass {
  readonly prototype: { readSource: (this: unknown, options?: object) => string }
}

interface TextUtilities {
  decodeWtEntities: (text: string) => string
  escapeWtEntities: (text: string) => string
}

interface GrammarChange {
  readonly before: string
  readonly after: string
}

const CHANGES: readonly GrammarChange[] = [
  // A blank before a colon. `frenchSpaces.ts` handles all such blanks later, once it is known what is text.
  { before: "/ ' ' & ':' {", after: "/ ' ' & ':' & { return false; } {" },
  // Two names of character references that are not ASCII.
  {
    before: 'raw_htmlentity = m:$("&" [#0-9a-zA-Z]+ ";")',
    after: 'raw_htmlentity = m:$("&" ([#0-9a-zA-Z]+ / "רלמ" / "رلم") ";")',
  },
]

/** Throws when the package's grammar lacks the expected rules. */
export function patchGrammar(load: Load): void {
  const { prototype } = load<{ PegTokenizer: TokenizerClass }>('lib/wt2html/tokenizer.js').PegTokenizer
  const readSource = prototype.readSource
  prototype.readSource = function (options) {
    return CHANGES.reduce(replaceRule, readSource.call(this, options))
  }
  patchReferences(load)
}

function replaceRule(grammar: string, { before, after }: GrammarChange): string {
  if (grammar.split(before).length !== 2) throw new Error(`the engine's grammar does not have: ${before}`)
  return grammar.replace(before, () => after)
}

/** MediaWiki's own names of the right-to-left mark, in Hebrew and in Arabic. */
const MARK_NAMES = /&(?:רלמ|رلم);/g
const RIGHT_TO_LEFT_MARK = '\u200f'

function patchReferences(load: Load): void {
  const { Util } = load<{ Util: TextUtilities }>('lib/utils/Util.js')
  const { decodeWtEntities, escapeWtEntities } = Util
  Util.decodeWtEntities = (text) => decodeWtEntities.call(Util, text).replace(MARK_NAMES, RIGHT_TO_LEFT_MARK)
  Util.escapeWtEntities = (text) =>
    escapeWtEntities.call(Util, text).replace(MARK_NAMES, (name) => `&amp;${name.slice(1)}`)
}
