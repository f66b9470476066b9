/** Which pages of a wiki call modules, themselves or through their templates. */
import { MAIN } from '../../../src/domain/namespaceIds.js'
import { redirectTarget } from '../../../src/domain/redirect.js'
import { Preprocessor } from '../../../src/render/preprocessor/preprocessor.js'
import type { WikiSource } from '../../../src/render/preprocessor/source.js'
import { TreeCache } from '../../../src/render/preprocessor/treeCache.js'
import type { MemoryWiki } from '../../support/dumpWiki.js'

/** Keys of pages of the main namespace, in the order of the wiki. Nothing runs: each call is counted and gives nothing. */
export function pagesWithModules(pages: MemoryWiki['pages'], source: WikiSource): string[] {
  const cache = new TreeCache()
  const keys: string[] = []
  for (const page of pages) {
    if (page.title.namespace !== MAIN || page.contentModel !== 'wikitext') continue
    if (redirectTarget(page.text) !== undefined) continue
    let calls = 0
    const call = (): { text: string } => (calls++, { text: '' })
    new Preprocessor(page, source, { cache, modules: { open: () => ({ call }) } }).expand(page.text)
    if (calls > 0) keys.push(page.title.dbkey)
  }
  return keys
}
