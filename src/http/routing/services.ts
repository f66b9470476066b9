/** Services that handlers use besides the application's context. Each server makes them once. */
import type { AppContext } from '../../context.js'
import { SearchBatches } from '../../workers/compute/searchBatches.js'
import { Accounts } from '../../auth/accounts.js'
import { BoundedCache } from '../cache/boundedCache.js'
import { ClusterSecret } from '../../auth/clusterSecret.js'
import { Identities } from '../../auth/identities.js'
import { ApiDescription } from '../openapi/description.js'
import { ViewerFiles } from '../openapi/viewerFiles.js'
import { Pacer } from '../socket/pacer.js'
import { PageAnswers } from '../views/pageAnswers.js'
import { ReaderSites } from '../reader/sites.js'
import type { HttpContext, Route, ServerState } from './route.js'

export function openServices(
  context: AppContext,
  routes: readonly Route[],
  server: ServerState,
): HttpContext {
  const { config, store, pool } = context
  return {
    ...context,
    pages: new PageAnswers(store),
    comparisons: new BoundedCache<Uint8Array>(config.comparisonsBytes, weighComparison),
    searches: new SearchBatches({ pool, maxWaitMs: config.taskTimeoutMs }),
    identities: new Identities(context),
    accounts: new Accounts(context),
    clusterSecret: ClusterSecret.open(config),
    description: new ApiDescription(routes, config),
    viewer: new ViewerFiles(),
    readerSites: new ReaderSites(context),
    server,
    pacer: new Pacer(),
  }
}

const weighComparison = (key: string, body: Uint8Array): number => key.length + body.length
