/** Replaces rules in the source of the engine's grammar that read wikitext differently from MediaWiki. */
import type { Load } from './sourceEdits.js'

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
  // Plain text in one go instead of one character at a time. Words that may begin a link go on as before: those with a
  // colon near, and the names of magic links.
  {
    before: `urltext = (
            & [/A-Za-z] al:autolink`,
    after: `plain_text = & { plainEnd = endOfPlain(endOffset()); return plainEnd > endOffset(); } "" {
    var plainStart = endOffset();
    peg$currPos = plainEnd;
    return input.substring(plainStart, plainEnd);
  }

urltext = (
            plain_text
          / & [/A-Za-z] al:autolink`,
  },
  {
    before: `    var inlineBreaks = tu.inlineBreaks;
`,
    after: `    var inlineBreaks = tu.inlineBreaks;

    var PLAIN_TEXT = /(?:[^-'<~[{\\n\\r:;\\]}|!=&_A-Za-z]|_(?!_)|(?!RFC|PMID|ISBN|[A-Za-z][-A-Za-z0-9+.]{0,30}:)[A-Za-z]+){1,1000}/y;
    var plainEnd = 0;
    var endOfPlain = function(start) {
        PLAIN_TEXT.lastIndex = start;
        return PLAIN_TEXT.test(input) ? PLAIN_TEXT.lastIndex : start;
    };
`,
  },
  // In `-{zh-hans:a; b;zh-hant:c}-` the first semicolon belongs to a text: no variant follows.
  {
    before: `lang_variant_text
  = tokens:(inlineline / "|" )*`,
    after: `lang_variant_more
  = space_or_newline* (
      "}-"
    / n:lang_variant_name space_or_newline* ":" & { return env.conf.wiki.variants.has(n); }
    / (!"=>" [^;{}])* "=>"
  )

lang_variant_text
  = tokens:(inlineline / "|" / $(";" !lang_variant_more) )*`,
  },
  // A list of as many empty places as the text has characters.
  {
    before: 'peg$cache[prevOffset] = undefined;',
    after: 'if (peg$cache[prevOffset] !== undefined) { peg$cache[prevOffset] = undefined; }',
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
