/** `<hiero>`: Egyptian hieroglyphs by their codes, as Unicode characters. */
import { escapeHtml } from '../../domain/html.js'
import type { ExtensionTag } from './tag.js'

/**
 * Generated from the names of the Unicode characters U+13000 to U+1342E, in the order of their code points. `A: 1-5 5A`
 * means A001 to A005, then A005A. A part such as `2A-C` means A002A to A002C.
 */
export const FIRST_HIEROGLYPH = 0x13000
export const HIEROGLYPHS: readonly string[] = [
  'A: 1-5 5A 6 6A-B 7-14 14A 15-17 17A 18-32 32A 33-40 40A 41-42 42A 43 43A 44-45 45A 46-70',
  'B: 1-5 5A 6-9',
  'C: 1-2 2A-C 3-10 10A 11-24',
  'D: 1-8 8A 9-27 27A 28-31 31A 32-34 34A 35-46 46A 47-48 48A 49-50 50A-I 51-52 52A 53-54 54A 55-67 67A-H',
  'E: 1-8 8A 9 9A 10-16 16A 17 17A 18-20 20A 21-28 28A 29-34 34A 36-38',
  'F: 1 1A 2-13 13A 14-21 21A 22-31 31A 32-37 37A 38 38A 39-45 45A 46 46A 47 47A 48-51 51A-C 52-53',
  'G: 1-6 6A 7 7A-B 8-11 11A 12-20 20A 21-26 26A 27-36 36A 37 37A 38-43 43A 44-45 45A 46-54',
  'H: 1-6 6A 7-8',
  'I: 1-5 5A 6-9 9A 10 10A 11 11A 12-15',
  'K: 1-8',
  'L: 1-2 2A 3-6 6A 7-8',
  'M: 1 1A-B 2-3 3A 4-10 10A 11-12 12A-H 13-15 15A 16 16A 17 17A 18-22 22A 23-24 24A 25-28 28A 29-31 31A 32-33 33A-B 34-40 40A 41-44',
  'N: 1-18 18A-B 19-25 25A 26-33 33A 34 34A 35 35A 36-37 37A 38-42',
  'NL: 1-5 5A 6-17 17A 18-20',
  'NU: 1-10 10A 11 11A 12-18 18A 19-22 22A',
  'O: 1 1A 2-5 5A 6 6A-F 7-10 10A-C 11-19 19A 20 20A 21-24 24A 25 25A 26-29 29A 30 30A 31-33 33A 34-36 36A-D 37-50 50A-B 51',
  'P: 1 1A 2-3 3A 4-11',
  'Q: 1-7',
  'R: 1-2 2A 3 3A-B 4-10 10A 11-16 16A 17-29',
  'S: 1-2 2A 3-6 6A 7-14 14A-B 15-17 17A 18-26 26A-B 27-35 35A 36-46',
  'T: 1-3 3A 4-7 7A 8 8A 9 9A 10-11 11A 12-16 16A 17-32 32A 33 33A 34-36',
  'U: 1-6 6A-B 7-23 23A 24-29 29A 30-32 32A 33-42',
  'V: 1 1A-I 2 2A 3-7 7A-B 8-11 11A-C 12 12A-B 13-20 20A-L 21-23 23A 24-28 28A 29 29A 30 30A 31 31A 32-33 33A 34-37 37A 38-40 40A',
  'W: 1-3 3A 4-9 9A 10 10A 11-14 14A 15-17 17A 18 18A 19-24 24A 25',
  'X: 1-4 4A-B 5-6 6A 7-8 8A',
  'Y: 1 1A 2-8',
  'Z: 1-2 2A-D 3 3A-B 4 4A 5 5A 6-15 15A-I 16 16A-H',
  'AA: 1-7 7A-B 8-32',
]

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
