/** Reads lists of interwiki prefixes. */
import type { Interwiki } from '../../domain/interwiki.js'
import { languageName } from '../../domain/languageNames.js'
import { CommandError } from '../commandError.js'

/**
 * Reads a wiki's siteinfo answer (`query.interwikimap`, in both format versions), or lines of prefix, URL and
 * optionally a language's own name. Ignores blank lines and lines that begin with `#`. Throws a CommandError that names
 * the unreadable part.
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
