/** Remembers the pages that a dump brought, with one bit for each id, and the lines of the first pages. */
import type { PagesThatCame } from '../storage/entries/entries.js'

const BLOCK_BITS = 16
const BLOCK_IDS = 2 ** BLOCK_BITS
const BYTES_PER_BLOCK = BLOCK_IDS / 8
/** Blocks with fewer ids use a set, since a dump may spread its ids widely. */
const FEW_IDS = 128
const MAX_LINES = 100_000

export class PagesOfDump implements PagesThatCame {
  readonly #blocks = new Map<number, Set<number> | Uint8Array>()
  readonly #lines = new Map<number, number>()

  has(pageId: number): boolean {
    const block = this.#blocks.get(pageId >>> BLOCK_BITS)
    if (block === undefined) return false
    const place = pageId % BLOCK_IDS
    return block instanceof Set ? block.has(place) : (block[place >> 3]! & (1 << (place & 7))) !== 0
  }

  /** `line` is the start of the page in the dump, if known. */
  add({ id, line }: { readonly id: number; readonly line?: number }): void {
    if (line !== undefined && this.#lines.size < MAX_LINES && !this.#lines.has(id)) this.#lines.set(id, line)
    const number = id >>> BLOCK_BITS
    const block = this.#blocks.get(number) ?? new Set<number>()
    const place = id % BLOCK_IDS
    if (block instanceof Uint8Array) setBit(block, place)
    else if (block.add(place).size < FEW_IDS) this.#blocks.set(number, block)
    else {
      const bits = new Uint8Array(BYTES_PER_BLOCK)
      for (const member of block) setBit(bits, member)
      this.#blocks.set(number, bits)
    }
  }

  /** Line of a page, if the page was among the first. */
  lineOf(pageId: number): number | undefined {
    return this.#lines.get(pageId)
  }
}

function setBit(bits: Uint8Array, place: number): void {
  bits[place >> 3]! |= 1 << (place & 7)
}
