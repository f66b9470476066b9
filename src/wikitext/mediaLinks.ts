/** Files that a page uses: pictures, galleries, and links to the files themselves. */
import { FILE, MEDIA } from '../domain/namespaceIds.js'
import { decodeCharacterReferences } from '../domain/characterReferences.js'
import { EXTENSION_TAG_FACTS } from '../domain/extensionTags.js'
import { decodePercent } from '../domain/percent.js'
import type { Namespaces } from '../domain/namespaces.js'
import { compareUtf8, parseTitle } from '../domain/title.js'
import { WikitextElements } from '../domain/wikitextElements.js'
import { prefixEnd } from './linkPrefix.js'
import { VisibleText } from './visibleText.js'

/** The bound keeps time linear for a text of `[[` alone. */
const MAX_TARGET_LENGTH = 1000
/** The target of a link, up to its label or end. */
const TARGET = /([^[\]|{}<>\n]{1,1000})(?:\||\]\])/y
/** Tags whose content names files. */
export const LIST_TAG_NAMES: readonly string[] = [...EXTENSION_TAG_FACTS]
  .filter(([, { content }]) => content === 'files')
  .map(([name]) => name)
const LIST_START = new RegExp(`<(?:${LIST_TAG_NAMES.join('|')})(?=[\\s/>])`, 'gi')
/** In this tag, only the first line names a file; the others are areas. */
const IMAGE_MAP = 'imagemap'
/** Longer texts exceed the 255 bytes of a title, and take long to normalise. */
const MAX_NAME_LENGTH = 512
const MAX_PREFIX_LENGTH = 100

/**
 * Dbkeys of the files that a wikitext uses, without duplicates, sorted by their UTF-8 bytes. At most `limit` files, the
 * first in the text. Counts pictures (`[[File:…]]`), `[[Media:…]]`, lines of `gallery` and the picture of an
 * `imagemap`, under the wiki's own names and the English ones. Ignores links to description pages (`[[:File:…]]`),
 * comments and `nowiki`. Templates are not expanded, so pass expanded text to include theirs. The files need not exist.
 */
export function mediaLinks(wikitext: string, namespaces: Namespaces, limit = Infinity): string[] {
  return sortedNames(firstFiles(wikitext, namespaces, limit))
}

/** Names by their UTF-8 bytes. */
export const sortedNames = (names: Iterable<string>): string[] => [...names].sort(compareUtf8)

/** The same files in the order of the text; galleries and image maps come last. */
export function firstFiles(wikitext: string, namespaces: Namespaces, limit: number): string[] {
  const names = new Set<string>()
  for (const name of filesOf(wikitext, namespaces)) {
    if (name !== undefined) names.add(name)
    if (names.size >= limit) break
  }
  return [...names]
}

function* filesOf(wikitext: string, namespaces: Namespaces): Iterable<string | undefined> {
  for (const target of linkTargets(wikitext, namespaces)) yield nameOfLink(target, namespaces)
  for (const line of listedFiles(wikitext)) yield nameOfLine(line, namespaces)
}

/** The text between `[[` and the label or end of each link whose prefix may be that of files. */
function* linkTargets(wikitext: string, namespaces: Namespaces): Iterable<string> {
  const lastLinkEnd = wikitext.lastIndexOf(']]')
  let visible: VisibleText | undefined
  for (let at = wikitext.indexOf('[['); at >= 0 && at < lastLinkEnd; at = wikitext.indexOf('[[', at + 1)) {
    if (!mayNameFile(wikitext, at + 2, namespaces)) continue
    TARGET.lastIndex = at + 2
    const target = TARGET.exec(wikitext)?.[1]
    if (target === undefined) continue
    visible ??= new VisibleText(wikitext)
    if (visible.holds(at)) yield target
  }
}

/** The file that a link shows or leads to, of a text that is its whole target. */
export function fileOfTarget(target: string, namespaces: Namespaces): string | undefined {
  return target.length <= MAX_TARGET_LENGTH && mayNameFile(target, 0, namespaces)
    ? nameOfLink(target, namespaces)
    : undefined
}

/** Sorts most links out by their prefix alone, which is cheap. `at` is the start of the target. */
function mayNameFile(wikitext: string, at: number, namespaces: Namespaces): boolean {
  const end = prefixEnd(wikitext, at, MAX_TARGET_LENGTH)
  if (end === undefined) return false
  const prefix = wikitext.slice(at, end)
  return prefix.includes('&') || prefix.includes('%') || isOfFiles(prefix.trimStart(), namespaces)
}

function isOfFiles(prefix: string, namespaces: Namespaces): boolean {
  const namespace = namespaces.idByName(prefix)
  return namespace === FILE || namespace === MEDIA
}

/** In galleries, the start of each line, up to a bar; in image maps, only the first line that is not a comment. */
function* listedFiles(wikitext: string): Iterable<string> {
  const starts = new RegExp(LIST_START)
  if (!starts.test(wikitext)) return
  starts.lastIndex = 0
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

/** Lines up to their first bar, without blank lines and comments. */
function linesOf(list: string): string[] {
  return list
    .replace(/<!--[^]*?(?:-->|$)/g, '')
    .split('\n')
    .map((line) => line.split('|', 1)[0]!.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The file that a link shows or leads to. Undefined for other links, and for links to description pages. */
function nameOfLink(target: string, namespaces: Namespaces): string | undefined {
  const text = decode(target).trim()
  if (text.length > MAX_NAME_LENGTH || text.startsWith(':')) return undefined
  const colon = text.indexOf(':')
  if (colon < 0 || colon > MAX_PREFIX_LENGTH) return undefined
  const isFile = isOfFiles(text.slice(0, colon), namespaces)
  return isFile ? fileName(text.slice(colon + 1), namespaces) : undefined
}

/** Dbkeys of the files that galleries and image maps list, maybe some twice. */
export function* listedNames(wikitext: string, namespaces: Namespaces): Iterable<string> {
  if (!wikitext.includes('<')) return
  for (const line of listedFiles(wikitext)) {
    const name = nameOfLine(line, namespaces)
    if (name !== undefined) yield name
  }
}

/** The file of a gallery's line, where the prefix is optional. */
function nameOfLine(line: string, namespaces: Namespaces): string | undefined {
  const text = decode(line)
  if (text.length > MAX_NAME_LENGTH) return undefined
  return nameOfLink(text, namespaces) ?? fileName(text, namespaces)
}

function fileName(text: string, namespaces: Namespaces): string | undefined {
  const parsed = parseTitle(namespaces.keyPrefix(FILE) + text, namespaces)
  return parsed.ok && parsed.title.namespace === FILE ? parsed.title.dbkey : undefined
}

/** Decodes character references and percent escapes, which links may contain. */
const decode = (text: string): string => decodePercent(decodeCharacterReferences(text))
