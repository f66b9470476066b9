/** The description of the API, and a page that shows it. This server provides everything that the page loads. */
import { VIEWER_FILES, type ViewerFile } from '../openapi/document.js'
import type { Validators } from '../reply/conditional.js'
import { conditionally, headerLines, json, type Reply, reusable } from '../reply/reply.js'
import { defineRoute, type Route } from '../routing/route.js'

const CACHE = headerLines({ 'Cache-Control': 'max-age=300' })

/** The viewer styles elements inline. Scripts, pictures and requests may only use this server. */
const CONTENT_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Palimpsest: the API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <main id="api"><p>The API is described in <a href="v1/openapi.json">v1/openapi.json</a>.</p></main>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`

const START = `SwaggerUIBundle({ url: 'v1/openapi.json', dom_id: '#api', deepLinking: true, tryItOutEnabled: true })
`

const NO_VALIDATORS: Validators = { etag: undefined, lastModified: undefined }

/** Answers the OpenAPI document of this server. */
export const getDescription = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  doc: {
    id: 'getDescription',
    tag: 'Server',
    summary: 'Read this description',
    description: 'Clients can be generated from it.',
    answer: { description: 'An OpenAPI 3.1 document', schema: { type: 'object' } },
    errors: [],
  },
  handler({ request, wiki }, { description }) {
    const { bytes, etag } = description.ready(wiki.site.wikiId)
    const validators = { etag, lastModified: undefined }
    return conditionally(request.conditions, validators, () => json(bytes, validators, CACHE))
  },
})

const getPage = defineRoute({
  method: 'GET',
  root: 'base',
  path: '/docs',
  doc: {
    id: 'getDocs',
    tag: 'Server',
    summary: 'Show this description to people',
    description: 'A page of Swagger UI, served from here with all that it loads.',
    answer: { description: 'A page', type: 'text/html' },
    conditions: 'none',
    errors: [],
  },
  handler: () =>
    asset(Buffer.from(PAGE), 'text/html; charset=utf-8', { 'Content-Security-Policy': CONTENT_POLICY }),
})

const getStart = defineRoute({
  method: 'GET',
  root: 'base',
  path: '/docs/start.js',
  handler: () => asset(Buffer.from(START), 'text/javascript; charset=utf-8'),
})

const viewerRoute = (name: ViewerFile): Route =>
  defineRoute({
    method: 'GET',
    root: 'base',
    path: `/docs/${name}`,
    handler: (_input, { viewer }) => viewer.read(name).then((bytes) => asset(bytes, VIEWER_FILES[name])),
  })

/** The page and the files that it loads. */
export const docsRoutes: readonly Route[] = [
  getPage,
  getStart,
  ...(Object.keys(VIEWER_FILES) as ViewerFile[]).map(viewerRoute),
]

/** The same as long as the server runs. */
function asset(body: Uint8Array, type: string, more: Readonly<Record<string, string>> = {}): Reply {
  const headers = headerLines({ 'Content-Type': type, 'Cache-Control': 'max-age=3600', ...more })
  return reusable({ status: 200, headers, body }, { validators: NO_VALIDATORS, isCurrent: () => true })
}
