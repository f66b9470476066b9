/** All routes of the pages for readers. Absent from a server without these pages. */
import type { Route } from '../routing/route.js'
import { fileRoutes } from './fileRoutes.js'
import { postReaderForm } from './formRoute.js'
import { getReaderPage, getWikiRoot } from './routes.js'
import { sitemapRoutes } from './sitemaps.js'

export const readerRoutes: readonly Route[] = [
  getReaderPage,
  postReaderForm,
  getWikiRoot,
  ...fileRoutes,
  ...sitemapRoutes,
]
