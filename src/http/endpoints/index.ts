/** All routes of the API in the order of the specification, then those of the server itself. */
import type { Route } from '../routing/route.js'
import { actionApiRoutes } from '../actionApi/routes.js'
import { getClusterContents, getClusterCopy, getClusterStatus } from './cluster.js'
import { getComparison } from './compare.js'
import { convertText, getConvertedPage } from './convert.js'
import { getHistoryCount } from './counts.js'
import { docsRoutes, getDescription } from './docs.js'
import { createPage, updatePage } from './edit.js'
import { getFile } from './file.js'
import { getFront } from './front.js'
import { getHealth, getMetrics, getReadiness } from './health.js'
import { getHistory } from './history.js'
import { getLanguageLinks, getMediaLinks } from './links.js'
import { getPageMarkdown } from './markdown.js'
import { getOriginal, getRendering } from './media.js'
import { getPageBare, getPageHtml, getPageSource, getPageWithHtml } from './page.js'
import { getRevisionBare, getRevisionHtml, getRevisionSource, getRevisionWithHtml } from './revision.js'
import { restV1Routes } from './restV1/routes.js'
import { searchPages, searchTitles } from './search.js'

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
