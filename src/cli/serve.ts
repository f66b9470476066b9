/** `palimpsest serve`: runs a server until it is told to stop. */
import type { Command } from 'commander'
import type { App } from '../app.js'
import { addSettings, type Config, givenFlags, readSettings } from '../config.js'
import { Namespaces } from '../domain/namespaces.js'
import { parseTitle, prefixedKey } from '../domain/title.js'
import type { Store } from '../storage/store.js'

const WILDCARD_HOSTS = ['0.0.0.0', '::']
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Adds the command to the program. */
export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('serve the wiki in the data folder over HTTP until SIGTERM or SIGINT')
  addSettings(command, 'serve').action(async () => {
    const app = await openApp(readSettings(givenFlags(command)))
    stopOnSignal(app)
    process.stdout.write(greeting(app))
  })
}

/** The server cannot listen where it should; the message says where. */
export class ServeError extends Error {
  override readonly name = 'ServeError'
}

/** Loads the server only now: other commands start in half the time without it. */
async function openApp(config: Config): Promise<App> {
  const { App, ListenError } = await import('../app.js')
  return App.open(config).catch((error: unknown) => {
    throw error instanceof ListenError ? new ServeError(error.message, { cause: error }) : error
  })
}

/** The first signal stops the server in order, a second one at once. */
function stopOnSignal(app: App): void {
  let stopping = false
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      app.context.log.info({ signal }, 'stopping')
      app.close().then(
        () => process.exit(0),
        (error: unknown) => {
          app.context.log.fatal({ err: error }, 'could not stop in order')
          process.exit(1)
        },
      )
    })
  }
}

/** Where the server listens, and a request to try: how to import when there is nothing to ask for. */
function greeting({ port, context: { config, store } }: App): string {
  const base = localUrl(config, port)
  const key = samplePage(store)
  const hint =
    key === undefined
      ? `It has no pages yet: palimpsest import --data-dir ${config.dataDir} DUMP`
      : `Try: curl '${base}/v1/page/${encodeURIComponent(key).replaceAll("'", '%27')}'`
  return `Palimpsest serves the wiki in ${config.dataDir} at ${base}/v1\n${hint}\n`
}

/** URL of the API for somebody on this machine. */
function localUrl({ host, basePath }: Config, port: number): string {
  const name = WILDCARD_HOSTS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}${basePath}`
}

/** Key of a page that is there: the main page where the site names one of ours, else the first by title. */
function samplePage(store: Store): string | undefined {
  const namespaces = new Namespaces(store.site())
  const name = store.site().base.split('/').at(-1) ?? ''
  const main = parseTitle(name, namespaces)
  if (main.ok && main.title.namespace >= 0 && store.getPage(main.title.namespace, main.title.dbkey)) {
    return prefixedKey(main.title, namespaces)
  }
  for (const [namespace, dbkey] of store.tables.title.getKeys({ start: undefined, limit: 1 })) {
    return prefixedKey({ namespace, dbkey }, namespaces)
  }
  return undefined
}
