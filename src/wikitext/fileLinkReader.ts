/** Reads the files that a text uses from its bytes. Only targets that may name a file become strings. */
import { FILE, MEDIA } from '../domain/namespaceIds.js'
import type { Namespaces } from '../domain/namespaces.js'
import {
  isClosed,
  LETTERS_AND_COLON,
  LinkTargets,
  NO_PREFIX,
  prefixHash,
  targetEnd,
  textOf,
} from './linkTargets.js'
import { fileOfTarget, LIST_TAG_NAMES, mediaLinks, sortedNames } from './mediaLinks.js'
import { TagSigns } from './tagSigns.js'
import { isSurelyVisible } from './visibleText.js'

const OPEN = 0x5b

const LIST_TAGS = new TagSigns(LIST_TAG_NAMES)

export class FileLinkReader {
  readonly #namespaces: Namespaces
  /** Hashes of the names of both namespaces. A hash of other signs than letters stands for no prefix. */
  readonly #prefixes: ReadonlySet<number>
  readonly #targets = new LinkTargets()

  constructor(namespaces: Namespaces) {
    this.#namespaces = namespaces
    this.#prefixes = new Set([FILE, MEDIA].flatMap((id) => namespaces.foldedNames(id)).map(prefixHash))
  }

  /** As `mediaLinks` for the text whose JSON string has `source` as its inside, in UTF-8. */
  namesIn(source: Buffer, limit: number): string[] {
    if (LIST_TAGS.mayBeIn(source) || !isSurelyVisible(source))
      return mediaLinks(textOf(source), this.#namespaces, limit)
    const targets = this.#targets
    const names = new Set<string>()
    let lastLinkEnd: number | undefined
    for (let from = 0; names.size < limit && targets.find(source, from); from = nextStart(source, targets)) {
      if (!this.#mayNameFile(targets)) continue
      const end = targetEnd(source, targets.end)
      lastLinkEnd ??= source.lastIndexOf(']]')
      const isLink = isClosed(source, end, lastLinkEnd)
      const name = isLink ? this.#nameOf(source.subarray(targets.start, end)) : undefined
      if (name !== undefined) names.add(name)
    }
    return names.size === 0 ? [] : sortedNames(names)
  }

  #nameOf(target: Buffer): string | undefined {
    return fileOfTarget(textOf(target), this.#namespaces)
  }

  /** Unknown if the prefix has other signs than letters. */
  #mayNameFile({ start, end, hash, kind }: LinkTargets): boolean {
    if (kind === NO_PREFIX) return false
    return kind !== LETTERS_AND_COLON || (end > start && this.#prefixes.has(hash))
  }
}

/** Where the next link may begin. Of brackets in an odd number, links to files take the last two. */
const nextStart = (source: Buffer, { start, end }: LinkTargets): number =>
  start === end && source[start] === OPEN ? start - 1 : end
