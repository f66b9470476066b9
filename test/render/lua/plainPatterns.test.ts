/** Patterns of `mw.ustring` that Lua's own functions may take for ASCII texts: both must find the same. */
import { expect, test } from 'vitest'
import { Matcher } from '../../../src/render/lua/ustring/matcher.js'
import { compilePattern } from '../../../src/render/lua/ustring/pattern.js'
import { decodeSubject } from '../../../src/render/lua/ustring/subject.js'
import { randomNumbers } from '../../support/random.js'
import { runLua } from './luaWiki.js'

const PIECES = [
  ...['a', 'b', '-', '1', ' ', '.', '–', 'ä', '%d', '%a', '%s', '%-', '%–', '^', '$', '()', '(', ')'],
  ...['[–ä]', '[^–]', '[a–]', '[a-ž]', '[–-ž]', '[–-]', '[%-–]', '[–-b]', '[a-–-z]', '[^%d–]', '[%a–-ž ]'],
  ...['%b–a', '%bab', '%f[%a–]', '%f[–]'],
]
const REPEATS = ['', '', '', '*', '+', '-', '?']
const SIGNS = 'ab-1 .b'
const RUNS = 3000

const kindOf = (pattern: string): string => {
  try {
    return compilePattern(Buffer.from(pattern))?.plain ?? 'never'
  } catch {
    return 'never'
  }
}

function found(pattern: string, text: string): string {
  const bytes = Buffer.from(text)
  const compiled = compilePattern(Buffer.from(pattern))
  const subject = decodeSubject(bytes, 0, bytes.length)
  if (compiled === undefined || subject === undefined) throw new Error('the texts are UTF-8')
  const matcher = new Matcher(compiled, subject, () => undefined)
  const at = matcher.find(0)
  return at < 0 ? 'nil' : `${at + 1} ${matcher.end}`
}

test('Lua finds in ASCII what the matcher finds', () => {
  const next = randomNumbers(46)
  const any = <Item>(list: ArrayLike<Item>): Item => list[Math.floor(next() * list.length)]!
  const some = (make: () => string, most: number): string =>
    Array.from({ length: 1 + Math.floor(next() * most) }, make).join('')
  const cases = Array.from({ length: RUNS }, () => ({
    pattern: some(() => any(PIECES) + any(REPEATS), 4),
    text: some(() => any(SIGNS), 8),
  })).filter(({ pattern }) => kindOf(pattern) !== 'never')
  const searches = cases.map(
    ({ pattern, text }) => `lines[#lines + 1] = show(string.find(${JSON.stringify(text)}, [=[${pattern}]=]))`,
  )
  const results: string[] = []
  for (let first = 0; first < searches.length; first += 100) {
    const body = `local lines = {}
      local function show(from, to) return from and from .. ' ' .. to or 'nil' end
      ${searches.slice(first, first + 100).join('\n')}
      return table.concat(lines, '\\n')`
    results.push(...runLua(body).split('\n'))
  }
  const told = cases.map(({ pattern, text }, n) => `${pattern} in ${text}: ${results[n]}`)
  expect(told).toEqual(cases.map(({ pattern, text }) => `${pattern} in ${text}: ${found(pattern, text)}`))
  expect(cases.filter(({ pattern }) => /[–äž]/.test(pattern)).length).toBeGreaterThan(100)
})

test.each([
  ['[%-–]', 'always'],
  ['^([^%d–]-) +(%d)$', 'line'],
  ['–', 'always'],
  ['–?', 'never'],
  ['%–', 'never'],
  ['[a-–-z]', 'never'],
  ['%b–a', 'never'],
])('a pattern such as %s is for Lua itself: %s', (pattern, kind) => expect(kindOf(pattern)).toBe(kind))
