/**
 * Calls with the answers of Lua 5.1 on x86-64 (test/fixtures/lua/record.mjs), and of MediaWiki's libraries
 * (recordMediawiki.mjs). Many have numbers that need more than 32 bits: the engine has no more.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runLua } from './luaWiki.js'

const FOLDER = join(import.meta.dirname, '../../fixtures/lua')
const SHOW = readFileSync(join(FOLDER, 'show.lua'), 'utf8')
/** Calls of one module: its constants have a limit. */
const CALLS_AT_ONCE = 500

function resultsOf(calls: readonly string[]): string[] {
  const results: string[] = []
  for (let first = 0; first < calls.length; first += CALLS_AT_ONCE) {
    const part = calls.slice(first, first + CALLS_AT_ONCE)
    const body = part.map((call) => `lines[#lines + 1] = show(function () return ${call} end)`).join('\n')
    const text = runLua(`${SHOW}\nlocal lines = {}\n${body}\nreturn table.concat(lines, '\\n')`)
    results.push(...text.split('\n'))
  }
  return results
}

test.each([
  ['strings', 'Lua 5.1'],
  ['numbers', 'Lua 5.1'],
  ['ustring', 'MediaWiki'],
  ['patterns', 'MediaWiki'],
  ['libraries', 'MediaWiki'],
])('answers every call of %s as %s', (name) => {
  const recorded = readFileSync(join(FOLDER, `${name}.tsv`), 'utf8')
    .trimEnd()
    .split('\n')
  const calls = recorded.map((line) => line.slice(0, line.indexOf('\t')))
  const results = resultsOf(calls)
  expect(calls.map((call, index) => `${call}\t${results[index]}`)).toEqual(recorded)
})
