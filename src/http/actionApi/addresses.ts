/** Addresses of a wiki as its clients see them. */
import { encodePercent } from '../../domain/percent.js'
import { Links } from '../../reader/links.js'
import { folderOf } from '../openapi/describedRoute.js'
import type { ActionCall } from './frame/call.js'
import type { Fields } from './frame/values.js'

export interface WikiAddresses {
  /** Scheme, host and port. */
  readonly server: string
  /** Path of the folder of `api.php`. */
  readonly scriptPath: string
  readonly links: Links
  /** Of a page by its key: to read, to edit, and the one for all. */
  page(key: string): Fields
  /** The URL of a page. */
  readonly url: (key: string) => string
}

export function addressesOf({
  baseUrl,
  context,
}: Pick<ActionCall, 'baseUrl'> & { readonly context: { readonly root: string } }): WikiAddresses {
  const [, server = '', path = ''] = /^(https?:\/\/[^/]*)(.*)$/.exec(baseUrl) ?? []
  const scriptPath = folderOf(path, context.root)
  const links = new Links(context.root)
  const url = (key: string): string => server + links.page(key)
  return {
    server,
    scriptPath,
    links,
    url,
    page(key) {
      const name = links.page(key).slice(links.wiki.length)
      const editurl = `${server}${scriptPath}/index.php?title=${name}&action=edit`
      return { fullurl: url(key), editurl, canonicalurl: url(key) }
    },
  }
}

const CLEAN_URL = /%(?:2F|3A|40|24|2C|3B|21|2A|28|29)/g

/** The URL of a title of another wiki. `pattern` has `$1` in its place. */
export const foreignUrl = (pattern: string, key: string): string =>
  pattern.replaceAll('$1', () => encodePercent(key).replace(CLEAN_URL, decodeURIComponent))
