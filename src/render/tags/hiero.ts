/** `<hiero>`: Egyptian hieroglyphs by their codes, as Unicode characters. */
import { escapeHtml } from '../../domain/html.js'
import { FIRST_HIEROGLYPH, HIEROGLYPHS } from './hieroglyphs.js'
import type { ExtensionTag } from './tag.js'

/** Signs by their sound in the Manuel de Codage: single consonants, and the usual signs of two and three consonants. */
const BY_SOUND: ReadonlyMap<string, string> = new Map(
  `A G1 i M17 a D36 w G43 b D58 p Q3 f I9 m G17 n N35 r D21 l E23 h O4 H V28 x Aa1 X F32 z O34 s S29 S N37 q N29 k V31
   g W11 t X1 T V13 d D46 D I10 W Z7 y Z4 M Aa15 N S3 ii M17A ra N5 anx S34 nfr F35 nTr R8 mn Y5 ms F31 nb V30 pr O1 Hr D2
   kA D28 xpr L1 wsr F12 stp U21 Htp R4 sw M23 mr U6 Dd R11 tA N16 pt N1 mw N35A niwt O49 xAst N25`
    .trim()
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, n) => {
      if (n % 2 === 0) pairs.push([word, ''])
      else pairs.at(-1)![1] = word
      return pairs
    }, []),
)
/** Operators that place signs beside, above and inside one another. */
const LAYOUT = /[\s:*&()#<>=^-]+|!/
/** A sign's code with optional modifiers: mirrored, rotated or scaled. */
const CODE = /^([A-Za-z]{1,20}\d{0,3}[A-Z]?)(?:\\[a-zA-Z]?\d{0,3})?$/
const GARDINER = /^([A-Z]{1,2}a?)0{0,2}(\d{1,3})([A-Z]?)$/
const MAX_SIGNS = 2000

/** Signs in their order; an unknown code is shown as written. */
export function renderHiero({ content }: ExtensionTag): string {
  const codes = content.slice(0, MAX_SIGNS * 8).trim()
  if (codes === '') return ''
  const lines = codes.split('!').map((line) => signsOf(line))
  const title = codes.replace(/\s+/g, ' ').slice(0, 500)
  const attributes = `class="mw-hiero" lang="egy" dir="ltr" title="${escapeHtml(title)}"`
  return `<span ${attributes}>${lines.map(escapeHtml).join('<br/>')}</span>`
}

function signsOf(line: string): string {
  let text = ''
  let wasCode = false
  const codes = line.split(LAYOUT).filter((code) => code !== '' && !/^\.+$/.test(code))
  for (const code of codes.slice(0, MAX_SIGNS)) {
    const sign = signOf(code)
    // Blanks separate codes that are shown as written.
    text += sign === undefined ? `${text === '' ? '' : ' '}${code}` : `${wasCode ? ' ' : ''}${sign}`
    wasCode = sign === undefined
  }
  return text
}

function signOf(written: string): string | undefined {
  const code = CODE.exec(written)?.[1]
  if (code === undefined) return undefined
  return SIGNS.get(normal(BY_SOUND.get(code) ?? code))
}

/** Normalises codes: `A001`, `a1` and `A1` are the same sign. */
function normal(code: string): string {
  const parts = GARDINER.exec(code)
  return parts === null ? code : `${parts[1]!.toUpperCase()}${Number(parts[2])}${parts[3]}`
}

function allSigns(): ReadonlyMap<string, string> {
  const all = new Map<string, string>()
  let codePoint = FIRST_HIEROGLYPH
  for (const row of HIEROGLYPHS) {
    const [category = '', list = ''] = row.split(': ')
    for (const part of list.split(' ')) {
      for (const code of codesOf(part)) all.set(category + code, String.fromCodePoint(codePoint++))
    }
  }
  return all
}

/** Expands a range such as `1-3` or `2A-C` into its codes. */
function* codesOf(part: string): Iterable<string> {
  const [first = '', last = first] = part.split('-')
  const number = parseInt(first, 10)
  const letter = first.slice(String(number).length)
  if (letter === '') {
    for (let n = number; n <= Number(last); n++) yield String(n)
    return
  }
  const end = last === first ? letter : last
  for (let unit = letter.charCodeAt(0); unit <= end.charCodeAt(0); unit++)
    yield `${number}${String.fromCharCode(unit)}`
}

const SIGNS = allSigns()
