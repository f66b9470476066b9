/** Lists of interwiki prefixes, as other wikis and people write them. */
import type { Interwiki } from '../../domain/interwiki.js'
import { languageName } from '../../domain/languageNames.js'
import { CommandError } from '../storeAccess.js'

/**
 * Reads the answer of a wiki's siteinfo (`query.interwikimap`, of either format version), or lines with a prefix, its
 * URL, and perhaps the own name of a language; blank lines and those that begin with `#` do not count. Throws a
 * CommandError that names what cannot be read.
 */
export function readInterwikiList(text: string): Interwiki[] {
  return text.trimStart().startsWith('{') ? readSiteinfo(text) : readLines(text)
}

function readSiteinfo(text: string): Interwiki[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new CommandError('the list begins like JSON, but is not valid JSON', { cause })
  }
  const { query } = parsed as { query?: { interwikimap?: unknown } }
  const list = query?.interwikimap
  if (!Array.isArray(list)) throw new CommandError('the JSON has no list query.interwikimap')
  return list.map((entry: unknown) => {
    const { prefix, url, language } = (entry ?? {}) as Partial<Record<keyof Interwiki, unknown>>
    if (typeof prefix !== 'string' || typeof url !== 'string')
      throw new CommandError(
        `an entry of query.interwikimap has no prefix or no URL: ${JSON.stringify(entry)}`,
      )
    return { prefix, url, ...(typeof language === 'string' && { language }) }
  })
}

function readLines(text: string): Interwiki[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (/^\s*(?:#|$)/.test(line)) return []
    const [prefix = '', url, ...name] = line.trim().split(/\s+/)
    if (url === undefined) throw new CommandError(`the line "${line}" has no URL`)
    const language = name.join(' ') || languageName(prefix)
    return [{ prefix, url, ...(language !== undefined && { language }) }]
  })
}
