/**
 * A wiki of made-up pages, of any size, with the distributions of a large Wikipedia. Shares of redirects, articles,
 * categories and templates, and the members of the largest category, are those of the English one. See bench/README.md.
 */
import { randomNumbers } from '../support/random.js'
import { normal } from './madePages.js'

const SEED = 314_159
export type Kind = 'redirect' | 'article' | 'category' | 'template' | 'project'

/** Pages of each kind among a hundred. */
const SHARES: Readonly<Record<Kind, number>> = {
  redirect: 60,
  article: 30,
  category: 7,
  template: 2,
  project: 1,
}
const BLOCK = 100
/** Coprime to the block: kinds take turns. */
const STEP = 37

/** In front of the name; their numbers are those of MediaWiki. */
const NAMESPACES: Readonly<Record<Kind, readonly [number, string]>> = {
  redirect: [0, ''],
  article: [0, ''],
  category: [14, 'Category:'],
  template: [10, 'Template:'],
  project: [4, 'Project:'],
}

/** Articles: half are shorter than this, few are a hundred times as long. */
const MEDIAN_BYTES = 2500
const SPREAD = 1.3
const MAX_BYTES = 400_000
const EARLIEST = Date.UTC(2016, 0, 1) / 1000
const SECONDS = 10 * 365 * 86_400
const EDITORS = 400_000

/** Words by rank: Zipf's law up to here, and a steeper fall behind it, as in English. */
const COMMON_WORDS = 8000
const COMMON_SHARE = 0.85
const RARE_EXPONENT = -1 / 0.7
const MAX_RANK = 2 ** 31
/** Ranks of common words are drawn from a table. */
const DRAWS = 2 ** 15

/** The most linked pages share their links evenly, so that none is on more than a few per cent of all pages. */
const POPULAR = 20
const LARGEST_CATEGORY_SHARE = 0.14

export interface MadePage {
  readonly id: number
  readonly namespace: number
  readonly title: string
  /** Title of the target. */
  readonly redirect: string | undefined
  readonly revisionId: number
  readonly timestamp: number
  readonly editorId: number
  readonly text: string
}

/** Makes page `id`, from 1 to the number of pages, always the same one. */
export class MadeWiki {
  readonly pages: number
  readonly #residues = residuesByKind()
  readonly #kinds: readonly Kind[]
  readonly #commonWords: readonly string[]

  constructor(pages: number) {
    this.pages = pages
    const kinds: Kind[] = []
    for (const [kind, residues] of Object.entries(this.#residues) as [Kind, number[]][])
      for (const residue of residues) kinds[residue] = kind
    this.#kinds = kinds
    this.#commonWords = Array.from({ length: DRAWS }, (_, n) =>
      wordOfRank(Math.floor(COMMON_WORDS ** ((n + 0.5) / DRAWS))),
    )
  }

  page(id: number): MadePage {
    const random = randomNumbers(mixed(id ^ SEED))
    const kind = this.kindOf(id)
    const redirect = kind === 'redirect' ? this.titleOf(this.#linked(random)) : undefined
    // Revisions of pages are in another order than the pages, as in real wikis.
    const revisionId = 1 + (Math.imul(id, 0x5bd1e995) & 0x7fffffff)
    return {
      id,
      namespace: NAMESPACES[kind][0],
      title: this.titleOf(id),
      redirect,
      revisionId,
      timestamp: EARLIEST + Math.floor((revisionId / 2 ** 31) * SECONDS),
      editorId: 1 + Math.floor(random() ** 4 * EDITORS),
      text: this.#text(id, kind, redirect, random),
    }
  }

  kindOf(id: number): Kind {
    return this.#kinds[(id - 1) % BLOCK]!
  }

  /** The page that is number `n`, from 0, of its kind: the smaller the number, the more pages link to it. */
  nth(kind: Kind, n: number): number {
    const residues = this.#residues[kind]
    return 1 + BLOCK * Math.floor(n / residues.length) + residues[n % residues.length]!
  }

  count(kind: Kind): number {
    return Math.max(1, Math.floor(this.pages / BLOCK) * SHARES[kind])
  }

  /** In the form for readers. Each has a name of its own, mostly among common words. */
  titleOf(id: number): string {
    const hash = mixed(id)
    const name = capital(syllables(hash))
    const words = (hash >>> 8) % 100
    const [, prefix] = NAMESPACES[this.kindOf(id)]
    const drawn = (shift: number): string => {
      const word = this.#commonWords[((hash >>> shift) % (DRAWS / 2)) + DRAWS / 4]!
      return (hash >>> shift) % 3 === 0 ? word : capital(word)
    }
    if (words < 15) return prefix + name
    if (words < 40) return `${prefix}${name} ${drawn(3)}`
    if (words < 70) return `${prefix}${capital(drawn(5))} ${name}`
    if (words < 90) return `${prefix}${capital(drawn(7))} ${drawn(2)} ${name}`
    return `${prefix}${capital(drawn(9))} ${drawn(4)} ${drawn(1)} ${name}`
  }

  /** A word as it appears in texts. Half of all words of a text are among the first hundred. */
  word(random: () => number): string {
    if (random() < COMMON_SHARE) return this.#commonWords[Math.floor(random() * DRAWS)]!
    return wordOfRank(Math.min(MAX_RANK, Math.floor(COMMON_WORDS * (1 - random()) ** RARE_EXPONENT)))
  }

  /** An article that a link may lead to. */
  #linked(random: () => number): number {
    const articles = this.count('article')
    return this.nth('article', random() < 0.5 ? popular(articles, random) : Math.floor(random() * articles))
  }

  #text(id: number, kind: Kind, redirect: string | undefined, random: () => number): string {
    switch (kind) {
      case 'redirect':
        return `#REDIRECT [[${redirect}]]${random() < 0.5 ? '\n\n{{R from other name}}' : ''}`
      case 'article':
        return this.#article(id, random)
      case 'category':
        return `{{Category box}}\n${this.#sentence(random)}\n[[${this.#category(random)}]]`
      case 'template':
        return `<includeonly>{| class="navbox"\n| {{{1|}}} || {{{name|[[${this.titleOf(this.#linked(random))}]]}}}\n|}</includeonly><noinclude>${this.#sentence(random)}</noinclude>`
      case 'project':
        return Array.from({ length: 8 }, () => this.#sentence(random)).join('\n\n')
    }
  }

  #article(id: number, random: () => number): string {
    const bytes = Math.min(MAX_BYTES, Math.round(MEDIAN_BYTES * Math.exp(SPREAD * normal(random))))
    const parts: string[] = []
    if (random() < 0.4)
      parts.push(
        `{{${this.#template(random)}\n| name = ${this.titleOf(id)}\n| image = ${this.#name(random)}.jpg\n}}`,
      )
    parts.push(`'''${this.titleOf(id)}''' ${this.#sentence(random)}`)
    let length = parts.join('\n').length
    for (let n = 1; length < bytes; n++) {
      const sentences = Array.from({ length: 5 }, () => this.#sentence(random)).join(' ')
      const heading = n % 4 === 0 ? `== ${capital(this.word(random))} ==\n\n` : ''
      const part = heading + sentences + (random() < 0.7 ? this.#note(random) : '')
      parts.push(part)
      length += part.length + 2
    }
    parts.push(`== References ==\n{{Reflist}}\n\n{{${this.#template(random)}}}`)
    const categories = Array.from(
      { length: 1 + Math.floor(random() * 6) },
      () => `[[${this.#category(random)}]]`,
    )
    if (random() < LARGEST_CATEGORY_SHARE)
      categories.push(`[[${this.titleOf(this.nth('category', 0))}|${this.#name(random)}]]`)
    return `${parts.join('\n\n')}\n\n${categories.join('\n')}`
  }

  #sentence(random: () => number): string {
    const words: string[] = [capital(this.word(random))]
    for (let left = 6 + Math.floor(random() * 14); left > 0; left--) words.push(this.word(random))
    if (random() < 0.7) words.push(this.#link(random))
    return `${words.join(' ')}.`
  }

  #link(random: () => number): string {
    // One of twenty leads to no page.
    if (random() < 0.05) return `[[${this.#name(random)} ${this.word(random)}]]`
    const title = this.titleOf(this.#linked(random))
    return random() < 0.3 ? `[[${title}|${this.word(random)}]]` : `[[${title}]]`
  }

  #note(random: () => number): string {
    const host = `${wordOfRank(popular(200_000, random) + 1)}.example`
    return `<ref>{{cite web |url=https://${host}/${this.#name(random)} |title=${this.#sentence(random)} |date=2019}}</ref>`
  }

  #template(random: () => number): string {
    return this.titleOf(this.nth('template', popular(this.count('template'), random))).slice(
      'Template:'.length,
    )
  }

  #category(random: () => number): string {
    return this.titleOf(this.nth('category', popular(this.count('category'), random)))
  }

  #name(random: () => number): string {
    return capital(syllables(Math.floor(random() * 2 ** 32)))
  }
}

/** Residues of the ids of each kind, in order. */
function residuesByKind(): Record<Kind, number[]> {
  let n = 0
  const entries = (Object.entries(SHARES) as [Kind, number][]).map(([kind, share]) => {
    const residues = Array.from({ length: share }, () => (STEP * n++) % BLOCK)
    return [kind, residues.sort((one, other) => one - other)] as const
  })
  return Object.fromEntries(entries) as Record<Kind, number[]>
}

/** A rank below `count` by Zipf's law, but for the first ones. */
const popular = (count: number, random: () => number): number =>
  Math.min(count - 1, Math.floor(POPULAR * ((count + POPULAR) / POPULAR) ** random()) - POPULAR)

const CONSONANTS = 'bcdfghjklmnpqrstvwxyz'
const VOWELS = 'aeiou'
const SYLLABLES = [...CONSONANTS].flatMap((consonant) => [...VOWELS].map((vowel) => consonant + vowel))

/** Different for each number. */
function syllables(number: number): string {
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length]!
  return text
}

/** The word of a rank, from 1. Frequent ones are short. */
export const wordOfRank = (rank: number): string =>
  syllables(rank * 7) + (rank % 3 === 0 ? 'n' : rank % 17 === 0 ? 'é' : '')

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** A permutation of the 32-bit numbers (after Wellons). */
function mixed(number: number): number {
  let x = number
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}
