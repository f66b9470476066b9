import { describe, expect, test } from 'vitest'
import { UnspacedTerms } from '../../../src/index/search/unspacedTerms.js'
import { foldText } from '../../../src/index/text/fold.js'
import { isUnspaced } from '../../../src/index/text/segments.js'
import { randomNumbers } from '../../support/random.js'

/** The terms at each byte, as a search for the bytes of each finds them. */
function expectedPlaces(all: readonly string[], bytes: Buffer, from: number, to: number): string[] {
  const places: string[] = []
  all.forEach((text, term) => {
    const form = Buffer.from(text)
    for (let at = bytes.indexOf(form, from); at >= 0 && at < to; at = bytes.indexOf(form, at + 1)) {
      places.push(`${at} ${term}`)
    }
  })
  return places.sort()
}

/** The parts of a stretch that match, in braces. */
function marked(terms: readonly string[], text: string, prefixes: readonly string[] = []): string {
  const bytes = Buffer.from(text)
  let html = ''
  let done = 0
  for (const [from, to] of new UnspacedTerms(terms, prefixes).partsOf(bytes, 0, bytes.length)) {
    html += `${bytes.toString('utf8', done, from)}{${bytes.toString('utf8', from, to)}}`
    done = to
  }
  return html + bytes.toString('utf8', done)
}

describe('terms of scripts without spaces', () => {
  test('are found wherever they begin, in any text', () => {
    const random = randomNumbers(11)
    const draw = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!
    const characters = ['說', 'ไ', 'ท', 'ゲ', 'ー', '𠀀', '𠀁']
    const parts = [...characters, 'a', 'é', ' ', '。', '😀']
    for (let n = 0; n < 1000; n++) {
      const text = Array.from({ length: Math.floor(random() * 30) }, () => draw(parts)).join('')
      const some = (): string[] => [
        ...new Set([
          draw(characters),
          draw(characters) + draw(characters),
          draw(characters) + draw(characters),
        ]),
      ]
      const [terms, prefixes] = [some(), some()]
      const bytes = Buffer.from(text)
      const characterAt = (share: number): number =>
        Buffer.byteLength(
          Array.from(text)
            .slice(0, share * Array.from(text).length)
            .join(''),
        )
      const [from, to] = [characterAt(random() / 2), characterAt(0.5 + random() / 2)]
      const found: string[] = []
      new UnspacedTerms(terms, prefixes).visit(bytes, from, to, (at, term) => {
        found.push(`${at} ${term}`)
        return false
      })
      expect([text, found.sort()]).toEqual([text, expectedPlaces([...terms, ...prefixes], bytes, from, to)])
    }
  })

  test('end the search when the visitor says so', () => {
    const found: number[] = []
    new UnspacedTerms(['圍棋'], []).visit(Buffer.from('圍棋圍棋圍棋'), 0, 18, (at) => found.push(at) === 2)
    expect(found).toEqual([0, 6])
  })

  test('leave out words of other scripts, and keep their numbers', () => {
    const found: number[] = []
    new UnspacedTerms(['moon', '圍棋'], ['é', 'ไ']).visit(Buffer.from('moon圍棋éไ'), 0, 15, (_at, term) => {
      found.push(term)
      return false
    })
    expect(found).toEqual([1, 3])
  })

  test.each([
    ['joins pairs', ['圍棋', '棋是'], '說圍棋是一種', '說{圍棋是}一種'],
    ['keeps the longest alone', ['圍棋', '棋是'], '棋是說圍棋是一圍棋', '棋是說{圍棋是}一圍棋'],
    ['keeps all of the longest', ['圍棋'], '圍棋說圍棋', '{圍棋}說{圍棋}'],
    ['finds single characters', ['棋'], '圍棋', '圍{棋}'],
    ['folds characters', ['カラ', 'ラー'], 'ｶﾗーと㍐', '{ｶﾗー}と㍐'],
    ['folds to characters of two units', ['𣏕一'], '\ufad1一', '{\ufad1一}'],
    ['keeps characters whole that fold to several', ['ํา'], 'นำ', 'น{ำ}'],
    ['joins characters that fold to several', ['ํา', 'นํ'], 'นำ', '{นำ}'],
    ['keeps voicing marks with their letters', ['がく'], 'か\u3099くか\u3099', '{か\u3099く}か\u3099'],
    ['keeps the marks of letters that have no voice', ['あ'], 'いあ\u3099', 'い{あ\u3099}'],
    ['tells letters with and without marks apart', ['かく'], 'か\u3099く', 'か\u3099く'],
    ['takes a pair rather than its last character', ['本', '日本'], '日本', '{日本}'],
    ['measures in UTF-16 units', ['𠀁', '二三'], '𠀁說二三說𠀁', '{𠀁}說{二三}說{𠀁}'],
    ['finds characters of four bytes', ['𠀀𠀁'], '𠀁𠀀𠀁', '𠀁{𠀀𠀁}'],
  ])('a stretch %s', (_name, terms, text, html) => {
    expect(marked(terms, text)).toBe(html)
  })

  test('a stretch shows beginnings', () => {
    expect(marked(['是一'], '圍棋說是一種', ['圍棋'])).toBe('{圍棋}說{是一}種')
    expect(marked(['圍棋'], '圍棋是一種', ['棋是'])).toBe('{圍棋是}一種')
  })

  test('match every character of their scripts that is decomposed', () => {
    const script = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Mymr}\p{scx=Khmr}]/u
    for (let code = 0; code < 0x30000; code++) {
      const character = String.fromCodePoint(code)
      if (!script.test(character) || character.normalize('NFD') === character) continue
      const folded = foldText(character)
      const [decomposed, found] = [character.normalize('NFD'), marked([folded], character.normalize('NFD'))]
      if (isUnspaced(folded)) expect([decomposed, found]).toEqual([decomposed, `{${decomposed}}`])
    }
  })
})
