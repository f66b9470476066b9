/** The scripts of the pages are texts, so no compiler reads them. The linter does. */
import { Linter } from 'eslint'
import { describe, expect, test } from 'vitest'
import { endedWorker, offlineWorker } from '../../src/reader/assets/offlineWorker.js'
import { SCRIPT, THEME_SCRIPT } from '../../src/reader/assets/script.js'
import { STYLE } from '../../src/reader/assets/style.js'

const BROWSER = [
  ...['document', 'window', 'location', 'localStorage', 'matchMedia', 'addEventListener', 'innerHeight'],
  ...['scrollX', 'scrollY', 'requestAnimationFrame', 'setTimeout', 'clearTimeout', 'fetch', 'URL'],
  ...['AbortController', 'Event', 'MutationObserver', 'ResizeObserver', 'sessionStorage', 'navigator'],
]
const WORKER = [
  'addEventListener',
  'skipWaiting',
  'clients',
  'caches',
  'registration',
  'location',
  'fetch',
  'URL',
  'Response',
]

const faultsOf = (script: string, names: readonly string[] = BROWSER): string[] =>
  new Linter()
    .verify(script, {
      languageOptions: {
        ecmaVersion: 2022,
        sourceType: 'script',
        globals: Object.fromEntries(names.map((name) => [name, 'readonly'])),
      },
      rules: { 'no-undef': 'error', 'no-unused-vars': 'error', 'no-eval': 'error', 'no-redeclare': 'error' },
    })
    .map(({ line, message }) => `${line}: ${message}`)

test('the service worker uses nothing that is not there', () => {
  const options = { root: '/de', wiki: '/de/wiki/', pages: 9 }
  expect([offlineWorker(options), endedWorker('/de')].map((text) => faultsOf(text, WORKER))).toEqual([[], []])
})

describe('the scripts', () => {
  test.each([
    ['script', SCRIPT],
    ['theme', THEME_SCRIPT],
  ])('%s uses nothing that is not there', (_name, script) => {
    expect(faultsOf(script)).toEqual([])
  })

  test('the linter sees faults', () => {
    expect(faultsOf('nothing()')).toEqual(["1: 'nothing' is not defined."])
  })

  test('never write HTML from texts', () => {
    expect(SCRIPT).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/)
  })
})

test('the style sheet loads nothing, and each brace has its pair', () => {
  expect(STYLE).not.toMatch(/url\(|@import/)
  expect(STYLE.split('{')).toHaveLength(STYLE.split('}').length)
})
