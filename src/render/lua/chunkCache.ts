/** Cache of compiled modules, kept between pages. Wikis may share it, since an entry counts for one source only. */

interface CompiledChunk {
  readonly source: string
  readonly code: Buffer
}

const MAX_BYTES = 24_000_000
const BYTES_PER_CHARACTER = 2

/** Evicts the least recently used module. */
export class ChunkCache {
  readonly #chunks = new Map<string, CompiledChunk>()
  #bytes = 0

  /** The code of a source under its name. Undefined when it is missing, or was compiled from another source. */
  get(name: string, source: string): Buffer | undefined {
    const chunk = this.#take(name)
    if (chunk?.source !== source) return undefined
    this.#put(name, chunk)
    return chunk.code
  }

  set(name: string, source: string, code: Buffer): void {
    this.#take(name)
    this.#put(name, { source, code })
    for (const [oldest] of this.#chunks) {
      if (this.#bytes <= MAX_BYTES) break
      this.#take(oldest)
    }
  }

  #put(name: string, chunk: CompiledChunk): void {
    this.#chunks.set(name, chunk)
    this.#bytes += sizeOf(chunk)
  }

  #take(name: string): CompiledChunk | undefined {
    const chunk = this.#chunks.get(name)
    if (chunk === undefined) return undefined
    this.#chunks.delete(name)
    this.#bytes -= sizeOf(chunk)
    return chunk
  }
}

function sizeOf({ source, code }: CompiledChunk): number {
  return BYTES_PER_CHARACTER * source.length + code.length
}
