/** `mw.text`: character references, markers of extension tags, and literal texts. */
import { decodeCharacterReferences } from '../../../domain/characterReferences.js'
import { encodeTitle } from '../../preprocessor/functions/encoding.js'
import { evaluate, ExpressionError, formatNumber } from '../../preprocessor/functions/expression.js'
import { LuaError } from '../engine/state.js'
import { withoutMarkers } from '../../preprocessor/stripMarkers.js'
import { NO_VALUES } from '../../preprocessor/frame.js'
import type { LuaSession } from '../session.js'
import type { HostArguments, HostTable } from './arguments.js'
import { MESSAGES, NAMESPACE_MESSAGES } from '../../preprocessor/functions/messages.js'
import { capitalise } from '../../../domain/title.js'
import { languageOf } from '../../../language/language.js'

const MAX_CODE = 0x10ffff
const NAMED_FIVE = /&(?:lt|gt|amp|quot|nbsp);/g
const LINK_SIGNS = /[[\]{|}]/g
const NUMERIC = /&#(?:([0-9]+)|x([0-9A-Fa-f]+));/g
const SIGNS = /["&'<=>[\]{|}]/g
const LINE_STARTS = /(^|\n)([*#:;\n \t])/g
const MAGIC_BLANKS = /\b(ISBN|RFC|PMID)([ \t\n\r\f])/g

export const TEXT_FUNCTIONS: HostTable = {
  values: {
    decode: (args) => decode(args.text(1), args.boolean(2)),
    nowiki: (args) => nowiki(args.text(1)),
    unstripNoWiki: (args, { expander: { markers, budget } }) =>
      markers.restoreOnly('nowiki', args.text(1), budget.limits.expandedLength),
    killMarkers: (args) => withoutMarkers(args.text(1)),
    encodeTitle: (args) => encodeTitle(args.text(1)),
    expression: (args) => {
      try {
        const value = evaluate(withoutMarkers(args.text(1)))
        return value === undefined ? '' : formatNumber(value)
      } catch (error) {
        if (error instanceof ExpressionError) throw new LuaError(error.message)
        throw error
      }
    },
    anchorEncode: (args, page) => callParser('anchorencode', args, page)?.replace(LINK_SIGNS, reference),
    fullUrl: (args, page) => callParser('fullurl', args, page),
    localUrl: (args, page) => callParser('localurl', args, page),
  },
}

/** Calls a parser function with the texts of the call. */
function callParser(name: string, args: HostArguments, { expander }: LuaSession): string | undefined {
  return expander.callFunctionWith(name, args.texts(1), NO_VALUES, expander.pageFrame())
}

function decode(text: string, allNames: boolean): string {
  const plain = text.replace(NUMERIC, numbered)
  return allNames ? decodeCharacterReferences(plain) : plain.replace(NAMED_FIVE, decodeCharacterReferences)
}

/** Numeric references decode to any character, even one that XML does not allow. */
function numbered(whole: string, decimal?: string, hex?: string): string {
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
  if (code > MAX_CODE) return whole
  if (code === 0) return '\ufffd'
  return isSurrogate(code) ? '?' : String.fromCodePoint(code)
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

function reference(sign: string): string {
  return `&#${sign.charCodeAt(0)};`
}

/** Wikitext that shows the text literally. */
function nowiki(text: string): string {
  return text
    .replace(SIGNS, reference)
    .replace(LINE_STARTS, (_whole, start: string, sign: string) => start + reference(sign))
    .replace(/(^|\n)-(?=---)/g, '$1&#45;')
    .replaceAll('__', '_&#95;')
    .replaceAll('://', '&#58;//')
    .replace(/\b(mailto|news|urn|sms|tel|bitcoin|magnet|geo|xmpp|sip|sips):/gi, '$1&#58;')
    .replace(MAGIC_BLANKS, (_whole, word: string, blank: string) => word + reference(blank))
}

// Interface messages: pages of the wiki, then the English table. Month names exist in every language.

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may_long', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

const MAX_TITLE_BYTES = 255

export const MESSAGE_FUNCTIONS: HostTable = { values: { message: messageText } }

/**
 * Arguments: key, language (default: the wiki's), and whether pages of the wiki count. Undefined for a missing message.
 */
function messageText(args: HostArguments, page: LuaSession): string | undefined {
  const key = args.text(1).replaceAll(' ', '_')
  const { source } = page.expander
  const language = args.optionalText(2) ?? source.site.language
  if (args.isNil(3) || args.boolean(3)) {
    const suffix = language === source.site.language ? '' : `/${language}`
    const dbkey = capitalise(key, source.site.namespaces.language) + suffix
    const isTitle = Buffer.byteLength(dbkey) <= MAX_TITLE_BYTES
    const text = isTitle ? page.readPage({ namespace: NAMESPACE_MESSAGES, dbkey })?.text : undefined
    if (text !== undefined) return text
  }
  const name = key.charAt(0).toLowerCase() + key.slice(1)
  const month = MONTHS.indexOf(name)
  const facts = languageOf(language)
  if (month >= 0) return facts.months[month]?.name
  return facts.listSigns.get(name) ?? MESSAGES.get(name)
}
