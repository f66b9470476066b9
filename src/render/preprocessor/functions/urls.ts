/** URLs of pages and files, and names of namespaces. */
import type { Expander } from '../expander.js'
import { NO_VALUES } from '../frame.js'
import type { FunctionCall, ParserFunction, FunctionTable } from '../functionCall.js'
import { escapeHtml } from '../../../domain/html.js'
import { aroundMarkers } from '../stripMarkers.js'
import { NAMESPACE, specialName } from '../titles.js'
import { encodeTitle } from './encoding.js'

type Base = 'local' | 'full'

export const URL_FUNCTIONS: FunctionTable = {
  localurl: (call) => url(call, 'local'),
  localurle: escaped((call) => url(call, 'local')),
  fullurl: (call) => url(call, 'full'),
  fullurle: escaped((call) => url(call, 'full')),
  canonicalurl: (call) => url(call, 'full'),
  canonicalurle: escaped((call) => url(call, 'full')),
  filepath: filePath,
  ns: (call) => namespaceName(call)?.replaceAll('_', ' '),
  nse: (call) => {
    const name = namespaceName(call)
    return name === undefined ? undefined : encodeTitle(name)
  },
  '#special': (call) => specialPage(call).replaceAll('_', ' '),
  '#speciale': (call) => encodeTitle(specialPage(call)),
}

function escaped(run: ParserFunction): ParserFunction {
  return (call) => {
    const text = run(call)
    return text === undefined ? undefined : aroundMarkers(text, escapeHtml)
  }
}

/** Undefined for an invalid title; the call then stays as written. */
function url(call: FunctionCall, base: Base): string | undefined {
  const { expander } = call
  const text = call.text(0)
  const query = call.text(1)
  const located = expander.titles.locate(text)
  if (located === undefined) return foreignUrl(text, query, expander)
  const { title, fragment } = located
  const local = localUrl(
    expander.titles.fullKey(
      title.namespace === NAMESPACE.media ? { ...title, namespace: NAMESPACE.file } : title,
    ),
    query,
    expander,
  )
  const anchor = fragment === '' ? '' : `#${fragment.replaceAll(' ', '_')}`
  return (base === 'full' ? expander.source.site.server : '') + local + anchor
}

function localUrl(key: string, query: string, { source: { site } }: Expander): string {
  const name = encodeTitle(key)
  if (query === '') return site.articlePath.replace('$1', () => name)
  return `${site.scriptPath}/index.php?title=${name}&${query}`
}

function foreignUrl(text: string, query: string, { titles, source }: Expander): string | undefined {
  const foreign = titles.foreign(text)
  const pattern = foreign && source.interwikiUrl(foreign.prefix)
  if (foreign === undefined || pattern === undefined) return undefined
  const address = pattern.replace('$1', () => encodeTitle(foreign.key))
  if (query === '') return address
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}

/** Empty for a missing file. `nowiki` keeps the URL from becoming a link. */
function filePath(call: FunctionCall): string {
  const { expander } = call
  const title = expander.titles.parseIn(NAMESPACE.file, call.text(0))
  if (title?.namespace !== NAMESPACE.file) return ''
  expander.report.addFile(title.dbkey)
  const address = expander.source.fileUrl(title.dbkey)
  if (address === undefined) return ''
  const full = /^(?:https?:)?\/\//.test(address) ? address : expander.source.site.server + address
  const plain = call.text(1) === 'nowiki' || call.text(2) === 'nowiki'
  return plain ? expander.makeTag('nowiki', full, NO_VALUES) : full
}

/**
 * Finds a namespace by number or by any of its names. A number without a namespace has an empty name; undefined for
 * another text.
 */
function namespaceName(call: FunctionCall): string | undefined {
  const { namespaces } = call.expander.source.site
  const text = call.text(0)
  const id = numberAtStart(text) ?? namespaces.idByName(text.slice(0, 255))
  if (id === undefined) return undefined
  if (namespaces.byId(id) === undefined) return ''
  return namespaces.keyPrefix(id).replace(/:$/, '')
}

/** As PHP reads an integer: the number that a text begins with. Only an empty text and zeros mean 0. */
function numberAtStart(text: string): number | undefined {
  if (text === '') return 0
  const number = /^[+-]?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?/i.exec(text)?.[0]
  if (number === undefined) return undefined
  const whole = Math.trunc(Number(number))
  return whole === 0 && !/^[+-]?0+$/.test(text) ? undefined : whole
}

/** A special page has its usual name in the wiki's language; another text stays. */
function specialPage(call: FunctionCall): string {
  const { titles, source } = call.expander
  const title = titles.parseIn(NAMESPACE.special, call.text(0))
  if (title === undefined) return source.site.namespaces.keyPrefix(NAMESPACE.special)
  const { dbkey } = title
  const end = dbkey.indexOf('/')
  const name = source.site.specialPages.get(specialName(dbkey))
  if (title.namespace !== NAMESPACE.special || name === undefined) return titles.fullKey(title)
  return titles.fullKey({ ...title, dbkey: end < 0 ? name : name + dbkey.slice(end) })
}
