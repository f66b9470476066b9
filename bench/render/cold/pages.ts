/** The fixed pages that the bench of cold HTML renders: real articles at equal distances. */
import { MAIN } from '../../../src/domain/namespaceIds.js'
import { prefixedKey } from '../../../src/domain/title.js'
import type { Store } from '../../../src/storage/store.js'

export interface ColdPage {
  readonly key: string
  readonly pageId: number
  readonly revisionId: number
}

/** So many articles, none of them a redirect, in the order of their ids. */
export function coldPages(store: Store, count: number): ColdPage[] {
  const namespaces = store.namespaces()
  const articles: ColdPage[] = []
  for (const pageId of store.tables.page.getKeys({ start: undefined })) {
    const page = store.getPageById(pageId)
    if (page?.namespace !== MAIN || page.redirectTarget !== undefined) continue
    if (store.getRevision(page.latestId)?.contentModel !== 'wikitext') continue
    articles.push({ key: prefixedKey(page, namespaces), pageId, revisionId: page.latestId })
  }
  const taken = Math.min(count, articles.length)
  return Array.from({ length: taken }, (_, n) => articles[Math.floor((n * articles.length) / taken)]!)
}
