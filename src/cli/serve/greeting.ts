/** What a server prints when it serves. */
import type { Config } from '../../config/config.js'
import { parseTitle, prefixedKey } from '../../domain/title.js'
import type { Store } from '../../storage/store.js'

const WILDCARD_HOSTS = ['0.0.0.0', '::']

/** Addresses that answer in a browser, and a request to try, or how to import when there is no page to ask for. */
export function greeting(config: Config, port: number, pageKey: string | undefined): string {
  const origin = localOrigin(config, port)
  const base = `${origin}${config.basePath}`
  const hint =
    pageKey === undefined
      ? `It has no pages yet: palimpsest import --data-dir ${config.dataDir} DUMP`
      : `Try: curl '${base}/v1/page/${encodeURIComponent(pageKey).replaceAll("'", '%27')}'`
  return `Palimpsest serves the wiki in ${config.dataDir} at ${origin}/\nTry the API in a browser: ${base}/docs\n${hint}\n`
}

/** Key of a page that is there: the main page where the site names one of ours, else the first by title. */
export function samplePage(store: Store): string | undefined {
  const namespaces = store.namespaces()
  const name = store.site().base.split('/').at(-1) ?? ''
  const main = parseTitle(name, namespaces)
  if (main.ok && main.title.namespace >= 0 && store.getPage(main.title.namespace, main.title.dbkey)) {
    return prefixedKey(main.title, namespaces)
  }
  const first = store.firstTitle()
  return first && prefixedKey(first, namespaces)
}

/** Address of the server for somebody on this machine. */
function localOrigin({ host }: Config, port: number): string {
  const name = WILDCARD_HOSTS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
