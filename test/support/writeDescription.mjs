/** Prints the API's description as a new server gives it, for linters. Needs a build. */
import { routes } from '../../dist/http/endpoints/index.js'
import { apiDocument } from '../../dist/http/openapi/document.js'

const config = { publicUrl: '', basePath: '', anonymousEdits: false }
console.log(JSON.stringify(apiDocument(routes, config, 'palimpsest'), undefined, 2))
