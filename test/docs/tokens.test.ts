import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tokensModule, unknownTokens } from '../support/designTokens.js'

const MODULE = join(import.meta.dirname, '../../src/reader/assets/tokens.ts')

test('tokens.ts has the design tokens of the package; "npm run docs" rewrites it', async () => {
  await expect(tokensModule(), 'the committed file differs: run "npm run docs"').toMatchFileSnapshot(MODULE)
})

test('the style sheets use no token that the package lacks', () => {
  expect(unknownTokens()).toEqual([])
})
