import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configurationMarkdown } from './configDocs.js'
import { errorsMarkdown } from './errorDocs.js'

const DOCS = join(import.meta.dirname, '../../docs')

test.each([
  ['configuration.md', configurationMarkdown],
  ['errors.md', errorsMarkdown],
])('docs/%s is what the table says; "npm run docs" rewrites it', async (name, markdown) => {
  await expect(markdown(), 'the committed file differs: run "npm run docs"').toMatchFileSnapshot(
    join(DOCS, name),
  )
})
