/** Pages of made-up texts with the sizes of real articles, for stores larger than memory. */
import type { IncomingPage } from '../../src/domain/page.js'
import { randomNumbers } from '../support/random.js'

const SEED = 161_803
/** The time of the oldest page; each later one is a second younger. */
const START = Date.UTC(2020, 0, 1) / 1000
/** Articles of large Wikipedias: half are shorter than this, and few are twenty times as long. */
const MEDIAN_BYTES = 4000
const SPREAD = 1.15
const MAX_BYTES = 400_000
/** Texts are cut out of one long text, since making each of its own would take hours. */
const WORDS = 600_000
const LETTERS = 'etaoinshrdlucmfwygpbvkxqjz'

/** Makes page `number`, from 1, always the same one. Titles are in another order than page ids, as in real wikis. */
export class MadePages {
  readonly #words: string
  /** Where the words begin. */
  readonly #starts: readonly number[]

  constructor() {
    const random = randomNumbers(SEED)
    const words: string[] = []
    for (let n = 0; n < WORDS; n++) words.push(word(random))
    const starts = [0]
    for (const one of words) starts.push(starts.at(-1)! + one.length + 1)
    this.#words = words.join(' ')
    this.#starts = starts
  }

  page(number: number): IncomingPage {
    const random = randomNumbers(SEED ^ Math.imul(number, 0x9e3779b1))
    const editor = { id: 1 + Math.floor(random() ** 3 * 10_000), name: '' }
    return {
      id: number,
      namespace: 0,
      dbkey: dbkeyOf(number),
      redirectTarget: null,
      revisions: [
        {
          id: number,
          parentId: undefined,
          timestamp: START + number,
          editor: { ...editor, name: `Editor ${editor.id}` },
          comment: 'made for a measurement',
          minor: false,
          contentModel: 'wikitext',
          text: this.#text(random),
          statedSizeBytes: undefined,
          statedSha1: undefined,
        },
      ],
    }
  }

  #text(random: () => number): string {
    const bytes = Math.min(MAX_BYTES, Math.round(MEDIAN_BYTES * Math.exp(SPREAD * normal(random))))
    const start = this.#starts[Math.floor(random() * this.#starts.length * 0.9)]!
    const text = this.#words.slice(start, start + bytes)
    // Paragraphs of a few hundred bytes.
    return text.replaceAll(/(.{300,500}) /g, '$1\n\n')
  }
}

/** The title of page `number`, which needs no encoding in a URL. */
export function dbkeyOf(number: number): string {
  const mixed = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d) >>> 0
  return `${String.fromCharCode(65 + (mixed % 26))}${mixed.toString(36)}-${number}`
}

function word(random: () => number): string {
  const length = 2 + Math.floor(random() * 9)
  let text = ''
  for (let n = 0; n < length; n++) text += LETTERS[Math.floor(random() ** 1.5 * LETTERS.length)]
  return text
}

/** A number of the normal distribution (Box and Muller). */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
