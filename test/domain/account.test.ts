import { describe, expect, test } from 'vitest'
import { userName } from '../../src/domain/account.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'

const namespaces = new Namespaces(DEFAULT_SITE)

describe('the name of an account', () => {
  test.each([
    ['ann', 'Ann'],
    ['  Ann_of  the__North ', 'Ann of the North'],
    ['étienne', 'Étienne'],
    ['山田', '山田'],
    ['1.2.3', '1.2.3'],
    ["O'Hara-2", "O'Hara-2"],
  ])('%s is written %s', (text, name) => {
    expect(userName(text, namespaces)).toBe(name)
  })

  test.each([
    ['nothing', ''],
    ['blanks', '  '],
    ['an address', '192.0.2.1'],
    ['an address with its last part crossed out', '192.0.2.xxx'],
    ['a range of addresses', '192.0.2.0/24'],
    ['an IPv6 address', '2001:db8::1'],
    ['a sub page', 'Ann/x'],
    ['a mail address', 'ann@wiki.example'],
    ['a fragment', 'Ann#x'],
    ['a bracket', 'Ann[x]'],
    ['another namespace', 'Talk:Ann'],
    ['a control character', 'Ann\u0007'],
    ['too many letters', 'a'.repeat(236)],
    ['a run of combining marks', `a${'\u0301'.repeat(100_000)}`],
  ])('is not %s', (_case, text) => {
    expect(userName(text, namespaces)).toBeUndefined()
  })
})
