/** The description of the API. */
import { conditionally, headerLines, json } from '../reply/reply.js'
import { defineRoute } from '../routing/route.js'

const CACHE = headerLines({ 'Cache-Control': 'max-age=300' })

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
