/** What pages load beside themselves: readers on slow lines wait for it once. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { SCRIPT, THEME_SCRIPT } from '../../src/reader/assets/script.js'
import { STYLE } from '../../src/reader/assets/style.js'

/** Compressed, in bytes. */
const MAX_SIZE = 35_000

test('style sheet and scripts are small', () => {
  const sizes = [STYLE, SCRIPT, THEME_SCRIPT].map((text) => gzipSync(text).length)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_SIZE)
})
