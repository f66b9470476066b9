/** The text that a server prints when it is ready. */
import type { Config } from '../../config/config.js'
import { hasNamedWikis, type WikiSettings } from '../../config/wikis.js'
import { parseTitle, prefixedKey } from '../../domain/title.js'
import type { Store } from '../../storage/store.js'

const WILDCARD_HOSTS = ['0.0.0.0', '::']

/** A wiki that is served, and the key of an existing page. */
export interface GreetedWiki extends WikiSettings {
  readonly pageKey: string | undefined
}

/** URLs for a browser, and a sample request, or how to import where a wiki is empty. */
export function greeting(config: Config, port: number, wikis: readonly GreetedWiki[]): string {
  const origin = localOrigin(config, port)
  if (hasNamedWikis(config)) return greetingOfSeveral(origin, port, wikis)
  const [{ config: own, pageKey }] = wikis as readonly [GreetedWiki]
  const base = `${origin}${own.basePath}`
  const hint =
    pageKey === undefined
      ? `It has no pages yet: ${importHint(own)}`
      : `Try: curl '${base}/v1/page/${encodeURIComponent(pageKey).replaceAll("'", '%27')}'`
  return `Palimpsest serves the wiki in ${own.dataDir} at ${origin}/\nTry the API in a browser: ${base}/docs\n${hint}\n`
}

function greetingOfSeveral(origin: string, port: number, wikis: readonly GreetedWiki[]): string {
  const lines = wikis.map(({ name, root, config, pageKey }) => {
    const place = root === '' ? `http://${name}:${port}/` : `${origin}${root}/`
    const hint = pageKey === undefined ? `\n    It has no pages yet: ${importHint(config)}` : ''
    return `  ${place}  ${config.dataDir}${hint}\n`
  })
  return `Palimpsest serves ${wikis.length} wikis, listed at ${origin}/\n${lines.join('')}`
}

const importHint = ({ dataDir }: Config): string => `palimpsest import --data-dir ${dataDir} DUMP`

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
