/** Files that a page uses: pictures, galleries, and links to files themselves. */
import { FILE, MEDIA } from '../domain/namespaceIds.js'
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { EXTENSION_TAG_FACTS } from '../domain/extensionTags.js'
import { decodePercent } from '../domain/percent.js'
import type { Namespaces } from '../domain/namespaces.js'
import { parseTitle } from '../domain/title.js'
import { WikitextElements } from '../domain/wikitextElements.js'
import { VisibleText } from './visibleText.js'

/** What a link names: up to its label or end. Bounded, so that a text of openings alone takes linear time. */
const TARGET = /([^[\]|{}<>\n]{1,1000})(?:\||\]\])/y
const LIST_TAGS = [...EXTENSION_TAG_FACTS].filter(([, { content }]) => content === 'files')
const LIST_START = new RegExp(`<(?:${LIST_TAGS.map(([name]) => name).join('|')})(?=[\\s/>])`, 'gi')
/** Its other lines are its areas. */
const IMAGE_MAP = 'imagemap'
/** Longer texts are no titles of 255 bytes, and normalising them takes long. */
const MAX_NAME_LENGTH = 512
const MAX_PREFIX_LENGTH = 100

/**
 * Dbkeys of the files that a wikitext uses, each once, by the bytes of UTF-8; at most `limit`, whichever come first in
 * the text. Pictures (`[[File:…]]`), `[[Media:…]]`, lines of `gallery` and the picture of an `imagemap` count, in the
 * wiki's own names and in English; links to descriptions (`[[:File:…]]`) and what stands in comments or `nowiki` do
 * not. Templates are not expanded: give the expanded text to have theirs too. Whether the files exist is not asked.
 */
export function mediaLinks(wikitext: string, namespaces: Namespaces, limit = Infinity): string[] {
  const names = firstFiles(wikitext, namespaces, limit)
  return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

/** The same in the order of the text, those of galleries and image maps last. */
export function firstFiles(wikitext: string, namespaces: Namespaces, limit: number): string[] {
  const names = new Set<string>()
  for (const name of filesOf(wikitext, namespaces)) {
    if (name !== undefined) names.add(name)
    if (names.size >= limit) break
  }
  return [...names]
}

function* filesOf(wikitext: string, namespaces: Namespaces): Iterable<string | undefined> {
  for (const target of linkTargets(wikitext)) yield nameOfLink(target, namespaces)
  for (const line of listedFiles(wikitext)) yield nameOfLine(line, namespaces)
}

/** What stands between `[[` and the label or end of each link that has a prefix. */
function* linkTargets(wikitext: string): Iterable<string> {
  const lastLinkEnd = wikitext.lastIndexOf(']]')
  let visible: VisibleText | undefined
  for (let at = wikitext.indexOf('[['); at >= 0 && at < lastLinkEnd; at = wikitext.indexOf('[[', at + 1)) {
    TARGET.lastIndex = at + 2
    const target = TARGET.exec(wikitext)?.[1]
    if (target === undefined || !target.includes(':')) continue
    visible ??= new VisibleText(wikitext)
    if (visible.holds(at)) yield target
  }
}

/** The beginnings of lines, up to a bar, in galleries; in image maps, of the first line that is no comment. */
function* listedFiles(wikitext: string): Iterable<string> {
  const starts = new RegExp(LIST_START)
  const visible = new VisibleText(wikitext)
  const elements = new WikitextElements(wikitext)
  for (let start = starts.exec(wikitext); start !== null; start = starts.exec(wikitext)) {
    const name = visible.holds(start.index) ? elements.nameAt(start.index) : undefined
    const bounds = name === undefined ? undefined : elements.elementAt(start.index, name)
    if (bounds === undefined) continue
    for (const line of linesOf(wikitext.slice(bounds.contentStart, bounds.contentEnd))) {
      yield line
      if (name === IMAGE_MAP) break
    }
    starts.lastIndex = bounds.end
  }
}

/** Lines without blank ones, comments and what follows their first bar. */
function linesOf(list: string): string[] {
  return list
    .replace(/<!--[^]*?(?:-->|$)/g, '')
    .split('\n')
    .map((line) => line.split('|', 1)[0]!.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The file that a link shows or leads to; undefined for links to anything else, and for descriptions of files. */
function nameOfLink(target: string, namespaces: Namespaces): string | undefined {
  const text = decode(target).trim()
  if (text.length > MAX_NAME_LENGTH || text.startsWith(':')) return undefined
  const colon = text.indexOf(':')
  if (colon < 0 || colon > MAX_PREFIX_LENGTH) return undefined
  const namespace = namespaces.idByName(text.slice(0, colon))
  const isFile = namespace === FILE || namespace === MEDIA
  return isFile ? fileName(text.slice(colon + 1), namespaces) : undefined
}

/** The file of a gallery's line, where the prefix may be left out. */
function nameOfLine(line: string, namespaces: Namespaces): string | undefined {
  const text = decode(line)
  if (text.length > MAX_NAME_LENGTH) return undefined
  return nameOfLink(text, namespaces) ?? fileName(text, namespaces)
}

function fileName(text: string, namespaces: Namespaces): string | undefined {
  const parsed = parseTitle(namespaces.keyPrefix(FILE) + text, namespaces)
  return parsed.ok && parsed.title.namespace === FILE ? parsed.title.dbkey : undefined
}

/** Character references and percent escapes, as links may have them. */
const decode = (text: string): string => decodePercent(decodeCharacterReferences(text))
