/** What the HTTP side is made of, over a real store and without threads, a socket or a process of its own. */
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { readSettings } from '../../src/config/config.js'
import type { AppContext } from '../../src/context.js'
import { SharedHttp } from '../../src/http/socket/sharedHttp.js'
import { Dispatcher } from '../../src/http/routing/dispatch.js'
import type { HttpContext, Route } from '../../src/http/routing/route.js'
import { openServices } from '../../src/http/routing/services.js'
import { Metrics } from '../../src/metrics/metrics.js'
import type { Store } from '../../src/storage/store.js'

export interface HttpParts {
  readonly context: HttpContext
  readonly shared: SharedHttp
  readonly dispatcher: Dispatcher
  /** Lines of the log, parsed. */
  readonly logged: readonly Readonly<Record<string, unknown>>[]
}

/** Routes that need a thread, a writer or scaled pictures fail: there are none. */
export function httpParts(
  store: Store,
  {
    routes = [],
    flags = {},
  }: { readonly routes?: readonly Route[]; readonly flags?: Record<string, string> },
): HttpParts {
  const config = readSettings({ dataDir: store.path, ...flags }, {})
  const logged: Record<string, unknown>[] = []
  const sink = new Writable({
    write: (line: Buffer, _encoding, done) => {
      logged.push(JSON.parse(line.toString()) as Record<string, unknown>)
      done()
    },
  })
  const absent = { pool: {}, writer: {}, thumbnails: {}, fileProcesses: {} } as Pick<
    AppContext,
    'pool' | 'writer' | 'thumbnails' | 'fileProcesses'
  >
  const app: AppContext = {
    ...absent,
    ...{ config, store, wikiName: '', root: '', renderings: undefined },
    ...{ clock: { nowMs: () => 1_700_000_000_000 }, log: pino({}, sink), metrics: new Metrics() },
  }
  const shared = new SharedHttp(app, () => false)
  const context = openServices(app, routes, shared)
  return { context, shared, dispatcher: new Dispatcher(context, routes, shared.encoder), logged }
}
