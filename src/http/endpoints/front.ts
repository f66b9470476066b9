/** The root URL of the server, which people open first. */
import { redirect } from '../reply/reply.js'
import { defineRoute } from '../routing/route.js'

/** Redirects to the viewer of the API, since this server has no pages for readers. */
export const getFront = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/',
  handler: ({ request }) => redirect(`${request.baseUrl()}/docs`),
})
