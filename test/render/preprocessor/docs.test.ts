import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXTENSION_TAGS } from '../../../src/domain/extensionTags.js'
import { knownNames } from '../../../src/render/preprocessor/functions/index.js'
import { DEFAULT_LIMITS } from '../../../src/render/preprocessor/limits.js'

const text = readFileSync('docs/templates.md', 'utf8')
const named = new Set(Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name))

test('docs/templates.md names every parser function and word', () => {
  const missing = knownNames().filter((name) => {
    const present = /^(?:CURRENT|LOCAL)(?!VERSION)/.exec(name)?.[0]
    if (present !== undefined) return !named.has(name.slice(present.length))
    const upper = name.toUpperCase()
    return !named.has(name) && !named.has(upper) && !named.has(upper.replace(/E$/, ''))
  })
  expect(missing).toEqual([])
})

test('docs/templates.md names every extension tag', () => {
  expect([...EXTENSION_TAGS].filter((tag) => !named.has(tag))).toEqual([])
})

test('docs/templates.md tells the limits', () => {
  for (const limit of Object.values(DEFAULT_LIMITS)) {
    expect(text).toContain(`| ${(limit as number).toLocaleString('en')}`)
  }
})
