/** The root URL of the server, which people open first. */
import { redirect } from '../reply/reply.js'
import { defineRoute } from '../routing/route.js'
import { mainPagePath } from '../views/mainPage.js'

/** Redirects to the main page, or to the viewer of the API if the server has no pages for readers. */
export const getFront = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/',
  handler: ({ request, wiki }, context) => {
    const { config, renderings, readerSites } = context
    const showsPages = config.reader && renderings !== undefined
    return redirect(
      showsPages ? mainPagePath(wiki, context, readerSites.site(wiki).links) : `${request.baseUrl()}/docs`,
    )
  },
})
