/**
 * Makes the files of this folder: what MediaWiki knows of each language, from a recording of it. One file for each language,
 * with what differs from the language that it falls back to. `src/language/files.ts` reads them and says what the fields mean.
 *
 *     node languages/make.mjs ../shared/oracle/languages/languages.jsonl.gz messages.jsonl
 *
 * The second recording is that of `recordMessages.mjs`.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const FOLDER = import.meta.dirname
/** The wiki of the recording: some names contain its name. */
const RECORDED_WIKI = 'Oracle Wiki'
/** Separates words of a list. No word contains it. */
const BAR = '¦'
const ENGLISH = 'en'
const TURKISH = 'tr'
const ASCII_DIGITS = '0123456789'
/** Fields of the recording that hold entries, of which a row has only those that differ from English. */
const BY_NAME = ['magicWords', 'specialPageAliases', 'namespaceNames', 'dateFormats']

/** The text of each file by its language's code. */
export function languageFiles(rows, messages) {
  const byCode = new Map(rows.map((row) => [row.code, row]))
  const english = byCode.get(ENGLISH)
  const factsOf = new Map(rows.map((row) => [row.code, facts(row, english, messages)]))
  const files = new Map([[ENGLISH, wholeFile(factsOf.get(ENGLISH))]])
  const bases = new Map()
  for (const { code, fallbacks } of rows) {
    if (code === ENGLISH) continue
    const texts = [...fallbacks, ENGLISH]
      .filter((base) => factsOf.has(base) && !leadsTo(code, base, bases))
      .map((base) => ({
        base,
        text: fileText({ base, ...difference(factsOf.get(code), factsOf.get(base)) }),
      }))
    const { base, text } = texts.reduce((one, other) => (other.text.length < one.text.length ? other : one))
    bases.set(code, base)
    files.set(code, text)
  }
  return files
}

/** Whether a language is among those that another is made from, which would never end. */
function leadsTo(code, from, bases) {
  for (let at = from; at !== undefined; at = bases.get(at)) if (at === code) return true
  return false
}

const fileText = (content) => `${JSON.stringify(content)}\n`

const wholeFile = (own) =>
  fileText({ ...own, words: mapped(own.words, joined), special: mapped(own.special, joined) })

/** All facts of a language, in the fields of the files. */
function facts(row, english, messages) {
  const full = { ...row }
  const { signs = [], ...calendars } = messages.get(row.code) ?? messages.get(ENGLISH) ?? {}
  for (const field of BY_NAME) full[field] = { ...english[field], ...row[field] }
  return {
    name: row.autonym,
    dir: row.dir,
    fallbacks: row.fallbacks.join(BAR),
    namespaces: mapped(full.namespaceNames, spaced),
    aliases: aliasesOf(row),
    gender: mapped(row.namespaceGenderAliases, ({ male, female }) => [male, female].map(spaced).join(BAR)),
    words: mapped(full.magicWords, ({ words }) => words),
    cased: mapped(full.magicWords, ({ caseSensitive }) => Number(caseSensitive)),
    special: full.specialPageAliases,
    trail: row.linkTrail,
    prefix: Number(row.linkPrefixExtension),
    prefixSigns: row.linkPrefixCharset,
    digits: digitsOf(row.digits),
    percent: row.digits?.['%'] ?? '',
    ...numberSigns(row),
    minGrouping: row.minimumGroupingDigits ?? 0,
    dotted: dottedLetters(row),
    plural: row.pluralRules.map((rule) => rule.replace(/\s*@.*/, '').trim()).join(BAR),
    pluralTypes: row.pluralRuleTypes.join(BAR),
    dateFormat: row.defaultDateFormat,
    dateFormats: full.dateFormats,
    months: row.months.map((forms) => joined(forms)),
    calendars: mapped(calendars, (names) => joined(names)),
    signs: joined(signs),
    weekdays: row.weekdays.map((forms) => joined(forms)),
    variants: row.variants.join(BAR),
    variantFallbacks: mapped(row.variantFallbacks, (codes) => [codes].flat().join(BAR)),
  }
}

/**
 * Signs of numbers. The number function of some languages never groups, and that of others has signs which the tables lack: the
 * sample shows them, for 1 and 1234567.8. Numbers are read by the tables alone.
 */
function numberSigns({ sampleFormatNum: [one, , , sample], separators, digits, digitGrouping }) {
  const zero = one.codePointAt(0) - 1
  const block = Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(zero + digit)).join('')
  const own = digitsOf(digits) || ASCII_DIGITS
  const groupedDigits = own.includes(one) ? '' : block
  const shown = groupedDigits || own
  const between = Array.from(sample, (sign) => (shown.includes(sign) ? '' : sign)).filter(
    (sign) => sign !== '',
  )
  const decimal = between.at(-1)
  const group = between.length > 1 ? between[0] : ''
  const never = group === '' && separators?.[','] !== ''
  return {
    groupedDigits,
    group,
    decimal,
    readGroup: separators?.[','] ?? ',',
    readDecimal: separators?.['.'] ?? '.',
    grouping: never ? '' : digitGrouping,
  }
}

/** 1: the capital of i has a dot. 2: the small form of I has none, as in Turkish and in languages that fall back to it. */
function dottedLetters({ code, ucfirst_i: capital, fallbacks: [first] }) {
  if (!capital.startsWith('İ')) return 0
  return code === TURKISH || first === TURKISH ? 2 : 1
}

function aliasesOf(row) {
  const found = {}
  for (const [name, id] of Object.entries(row.namespaceAliases)) {
    const written = spaced(name).replace(RECORDED_WIKI, '$1')
    if (name !== '' && written !== '$1' && found[written] === undefined) found[written] = id
  }
  return found
}

/** The ten digits, or nothing for those of English. Some languages write them as a list, some as a table. */
function digitsOf(digits) {
  const text = digits === null ? '' : Array.from({ length: 10 }, (_, digit) => digits[digit] ?? '').join('')
  return text === ASCII_DIGITS ? '' : text
}

/**
 * Words of a language before those of its base, which follow. A bar in front says that the list is whole: words of the base are
 * missing or stand between others.
 */
function listed(words, baseWords = []) {
  const count = words.length - baseWords.length
  const followsBase = count >= 0 && baseWords.every((word, index) => words[count + index] === word)
  return followsBase ? joined(words.slice(0, count)) : `${BAR}${joined(words)}`
}

function joined(words) {
  const bad = words.find((word) => word.includes(BAR))
  if (bad !== undefined) throw new Error(`the word "${bad}" has a bar`)
  return words.join(BAR)
}

const spaced = (name) => name.replaceAll('_', ' ')

function mapped(table, change) {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value, key)]))
}

/** What `own` has that `base` lacks or has otherwise. An entry that only `base` has is null. */
function difference(own, base) {
  const changed = {}
  for (const [field, value] of Object.entries(own)) {
    if (same(value, base[field])) continue
    const isTable = typeof value === 'object' && !Array.isArray(value)
    const entries = isTable ? entriesThatDiffer(value, base[field]) : value
    const isLists = field === 'words' || field === 'special'
    changed[field] = isLists ? mapped(entries, (words, id) => listed(words, base[field][id])) : entries
  }
  return changed
}

function entriesThatDiffer(own, base) {
  const gone = Object.keys(base).filter((key) => !(key in own))
  const changed = Object.entries(own).filter(([key, value]) => !same(value, base[key]))
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(changed) }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other)

function messagesByCode(lines) {
  const rows = lines.map((line) => JSON.parse(line))
  return new Map(rows.map(({ code, ...messages }) => [code, messages]))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = gunzipSync(readFileSync(process.argv[2])).toString().trimEnd().split('\n')
  const messages = readFileSync(process.argv[3], 'utf8').trimEnd().split('\n')
  const files = languageFiles(
    lines.map((line) => JSON.parse(line)),
    messagesByCode(messages),
  )
  for (const name of readdirSync(FOLDER)) if (name.endsWith('.json')) rmSync(join(FOLDER, name))
  for (const [code, text] of files) writeFileSync(join(FOLDER, `${code}.json`), text)
}
