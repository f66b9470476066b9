/** Which pages of a wiki call modules, themselves or through their templates. */
import { MAIN } from '../../../src/domain/namespaceIds.js'
import { redirectTarget } from '../../../src/domain/redirect.js'
import { Preprocessor } from '../../../src/render/preprocessor/preprocessor.js'
import { TreeCache } from '../../../src/render/preprocessor/treeCache.js'
import type { MemoryWiki } from '../../support/dumpWiki.js'

/** Pages of the main namespace, in the order of the wiki. Nothing runs: each call is counted and gives nothing. */
export function pagesWithModules({ pages, source }: MemoryWiki): MemoryWiki['pages'] {
  const cache = new TreeCache()
  return pages.filter((page) => {
    if (page.title.namespace !== MAIN || page.contentModel !== 'wikitext') return false
    if (redirectTarget(page.text) !== undefined) return false
    let calls = 0
    const call = (): { text: string } => (calls++, { text: '' })
    new Preprocessor(page, source, { cache, modules: { open: () => ({ call }) } }).expand(page.text)
    return calls > 0
  })
}
