/** The text that a server prints when it is ready. */
import type { Config } from '../../config/config.js'
import { parseTitle, prefixedKey } from '../../domain/title.js'
import type { Store } from '../../storage/store.js'

const WILDCARD_HOSTS = ['0.0.0.0', '::']

/** URLs for a browser, and a sample request, or how to import when the wiki is empty. */
export function greeting(config: Config, port: number, pageKey: string | undefined): string {
  const origin = localOrigin(config, port)
  const base = `${origin}${config.basePath}`
  const hint =
    pageKey === undefined
      ? `It has no pages yet: palimpsest import --data-dir ${config.dataDir} DUMP`
      : `Try: curl '${base}/v1/page/${encodeURIComponent(pageKey).replaceAll("'", '%27')}'`
  return `Palimpsest serves the wiki in ${config.dataDir} at ${origin}/\nTry the API in a browser: ${base}/docs\n${hint}\n`
}

/** Key of an existing page: the main page when the site names one that exists, else the first by title. */
export function samplePage(store: Store): string | undefined {
  const namespaces = store.namespaces()
  const name = store.site().base.split('/').at(-1) ?? ''
  const main = parseTitle(name, namespaces)
  if (main.ok && main.title.namespace >= 0 && store.getPage(main.title.namespace, main.title.dbkey)) {
    return prefixedKey(main.title, namespaces)
  }
  const first = store.lists.first()
  return first && prefixedKey(first, namespaces)
}

/** URL of the server for users on this machine. */
function localOrigin({ host }: Config, port: number): string {
  const name = WILDCARD_HOSTS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
