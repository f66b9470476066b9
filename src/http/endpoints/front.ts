/** The address of the server, which people open first. */
import { redirect } from '../reply/reply.js'
import { defineRoute } from '../routing/route.js'

/** Leads to the page that shows the API: there are no pages for readers here. */
export const getFront = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/',
  handler: ({ request }) => redirect(`${request.baseUrl()}/docs`),
})
