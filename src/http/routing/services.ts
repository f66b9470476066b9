/** Services that handlers use besides the application's context. Each wiki has its own, and all share a few. */
import type { AppContext } from '../../context.js'
import { Comparer, SearchBatches } from '../../workers/compute/batches.js'
import { Accounts } from '../../auth/accounts.js'
import type { BoundedCache } from '../../runtime/boundedCache.js'
import { ClusterSecret } from '../../auth/clusterSecret.js'
import type { Encoder } from '../coding/encoder.js'
import { Identities } from '../../auth/identities.js'
import { ApiDescription, type ViewerFiles } from '../openapi/document.js'
import type { Pacer } from '../../runtime/pacer.js'
import { ExpandedLinks, type LinkRoom } from '../cache/expandedLinks.js'
import { ChangeStreams } from '../views/changeStreams.js'
import { PageAnswers } from '../views/pageAnswers.js'
import { ReaderSites } from '../views/readerSites.js'
import type { ComparisonCache, HttpContext, Route } from './route.js'
import type { ServerState } from '../views/operators.js'

/** The part of the context that does not depend on a wiki. */
export type ServerContext = Pick<AppContext, 'config' | 'pool' | 'clock' | 'log' | 'metrics'>

/** What the wikis of a server share. */
export interface SharedServices {
  readonly encoder: Encoder
  readonly comparisons: BoundedCache<Uint8Array>
  readonly links: LinkRoom
  readonly viewer: ViewerFiles
  readonly pacer: Pacer
  readonly server: ServerState
}

export function openServices(
  context: AppContext,
  routes: readonly Route[],
  { comparisons, links, viewer, pacer, server }: SharedServices,
): HttpContext {
  const { config, store, pool, root, wikiName } = context
  return {
    ...context,
    pages: new PageAnswers(store),
    comparisons: comparisonsOf(wikiName, comparisons),
    expandedLinks: new ExpandedLinks(context, links),
    changeStreams: new ChangeStreams({ store, maxStreams: config.maxEventStreams, log: context.log }),
    comparer: new Comparer(pool, config.taskTimeoutMs),
    searches: new SearchBatches(pool, config.taskTimeoutMs),
    identities: new Identities(context),
    accounts: new Accounts(context),
    clusterSecret: ClusterSecret.open(config),
    description: new ApiDescription(routes, config, root),
    viewer,
    readerSites: new ReaderSites(context),
    server,
    pacer,
  }
}

/** Comparisons have the ids of revisions as keys, which other wikis have too. */
function comparisonsOf(wiki: string, shared: BoundedCache<Uint8Array>): ComparisonCache {
  if (wiki === '') return shared
  return {
    get: (key) => shared.get(`${wiki} ${key}`),
    set: (key, body) => shared.set(`${wiki} ${key}`, body),
  }
}
