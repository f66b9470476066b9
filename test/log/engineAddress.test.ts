import { describe, expect, test } from 'vitest'
import { readEngineAddress } from '../../src/log/engineAddress.js'
import { UnusableEngineError } from '../../src/log/logEngine.js'

const DAY_MS = 86_400_000
const read = (query: string) => readEngineAddress(new URL(`postgres://ann:secret@db.example/wiki${query}`))

describe('the address of a shared log', () => {
  test.each([
    ['', 'palimpsest', 14 * DAY_MS],
    ['?log=hand-book_2', 'hand-book_2', 14 * DAY_MS],
    ['?retention=36h', 'palimpsest', 1.5 * DAY_MS],
    [`?log=${'a'.repeat(63)}&retention=3650d`, 'a'.repeat(63), 3650 * DAY_MS],
    ['?retention=1h', 'palimpsest', DAY_MS / 24],
  ])('"%s" names a log and its retention', (query, log, retentionMs) => {
    expect(read(query)).toMatchObject({ log, retentionMs })
  })

  test('keeps what is for the engine, and takes our parameters out', () => {
    const { url } = read('?sslmode=verify-full&log=x&retention=2d&replicas=3')
    expect(url.href).toBe('postgres://ann:secret@db.example/wiki?sslmode=verify-full&replicas=3')
  })

  test.each([
    ['?log=', 'log='],
    ['?log=Handbook', 'log=Handbook'],
    ['?log=a.b', 'log=a.b'],
    ['?log=a%20b', 'log=a b'],
    [`?log=${'a'.repeat(64)}`, 'log=aaa'],
    ['?log=a&log=b', '"log" twice'],
    ['?retention=', 'retention='],
    ['?retention=14', 'retention=14'],
    ['?retention=0d', 'retention=0d'],
    ['?retention=3651d', 'retention=3651d'],
    ['?retention=1.5d', 'retention=1.5d'],
    ['?retention=-1d', 'retention=-1d'],
    ['?retention=1w', 'retention=1w'],
    ['?retention=1h&retention=1h', '"retention" twice'],
  ])('"%s" is refused without its password', (query, words) => {
    const refused = (() => {
      try {
        return read(query)
      } catch (error) {
        return error
      }
    })()
    expect(refused).toBeInstanceOf(UnusableEngineError)
    expect((refused as Error).message).toContain(words)
    expect((refused as Error).message).not.toContain('secret')
  })
})
