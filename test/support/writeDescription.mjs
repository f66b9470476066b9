/** Prints the API's description as a new server gives it, for linters. */
import { join } from 'node:path'
import { bundle } from '../../build.mjs'

await bundle(
  { modules: join(import.meta.dirname, 'modules.ts') },
  join(import.meta.dirname, '../../dist/.test'),
)
const { apiDocument, routes } = await import('../../dist/.test/modules.js')

const config = { publicUrl: '', basePath: '', anonymousEdits: false }
console.log(JSON.stringify(apiDocument(routes, config, { wikiId: 'palimpsest', root: '' }), undefined, 2))
