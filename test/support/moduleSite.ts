/** A site that has modules, for tests. */
import { MODULE, MODULE_TALK } from '../../src/domain/namespaceIds.js'
import { DEFAULT_SITE, type Site } from '../../src/domain/site.js'

export const MODULE_SITE: Site = {
  ...DEFAULT_SITE,
  wikiId: 'modulewiki',
  namespaces: [
    ...DEFAULT_SITE.namespaces,
    { id: MODULE, name: 'Module', case: 'first-letter' },
    { id: MODULE_TALK, name: 'Module talk', case: 'first-letter' },
  ],
}
