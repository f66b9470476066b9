/** All routes of the API in the order of the specification, then those of the server itself. */
import { type Route, defineRoute } from '../routing/route.js'
import { actionApiRoutes } from '../actionApi/routes.js'
import { getClusterContents, getClusterCopy, getClusterStatus } from './cluster.js'
import { getChangeStream } from './changeStream.js'
import { getComparison } from './compare.js'
import { convertText, getConvertedPage } from './convert.js'
import { getHistoryCount } from './counts.js'
import { docsRoutes, getDescription } from './docs.js'
import { createPage, updatePage } from './edit.js'
import { getFile, getOriginal, getRendering } from './media.js'
import { getHealth, getMetrics, getReadiness } from './health.js'
import { getHistory } from './history.js'
import { getLanguageLinks, getMediaLinks } from './links.js'
import { getPageMarkdown } from './markdown.js'
import { getPageBare, getPageHtml, getPageSource, getPageWithHtml } from './page.js'
import { getRevisionBare, getRevisionHtml, getRevisionSource, getRevisionWithHtml } from './revision.js'
import { restV1Routes } from './restV1/routes.js'
import { searchPages, searchTitles } from './search.js'
import { redirect } from '../reply/reply.js'
import { mainPagePath } from '../views/mainPage.js'

// The root URL of the server, which people open first.

/** Redirects to the main page, or to the viewer of the API if the server has no pages for readers. */
const getFront = defineRoute({
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

export const routes: readonly Route[] = [
  searchPages,
  searchTitles,
  createPage,
  updatePage,
  getPageBare,
  getPageWithHtml,
  getPageSource,
  getPageHtml,
  getPageMarkdown,
  getLanguageLinks,
  getMediaLinks,
  getFile,
  getOriginal,
  getRendering,
  getHistory,
  getHistoryCount,
  getRevisionBare,
  getRevisionSource,
  getRevisionHtml,
  getRevisionWithHtml,
  getComparison,
  getConvertedPage,
  convertText,
  ...actionApiRoutes,
  ...restV1Routes,
  getChangeStream,
  getDescription,
  ...docsRoutes,
  getFront,
  getHealth,
  getReadiness,
  getMetrics,
  getClusterStatus,
  getClusterCopy,
  getClusterContents,
]
