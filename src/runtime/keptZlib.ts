/**
 * Engines of zlib that are used again. `inflateRawSync` and its like make one for each call: streams around a native
 * object with up to 268 kB of memory. In a server with other work, that takes longer than unpacking 10 kB.
 *
 * Node has no public call for this. All streams of zlib have `_processChunk`, and packages such as minizlib use it in
 * the same way. It closes the native object at its end, so here that object's `close` does nothing.
 */
import { constants, createDeflateRaw, createGzip, createInflateRaw } from 'node:zlib'

/** The parts of a stream of zlib in use here. The types lack two of them. */
interface Engine {
  _handle: { close: () => void }
  _processChunk(bytes: Uint8Array, flush: number): Buffer
  reset(): void
  removeAllListeners(event: 'error'): unknown
}

/** Longer outputs come in pieces, and then take as long as without this module. */
export const KEPT_ROOM_BYTES = 64 * 1024
/** zlib asks for more room once the last byte is full. */
const SPARE_BYTES = 64
const chunkSize = KEPT_ROOM_BYTES + SPARE_BYTES

export class KeptZlib {
  readonly #make: () => Engine
  readonly #flush: number
  #engine: Engine | undefined

  private constructor(make: () => object, flush: number) {
    this.#make = make as () => Engine
    this.#flush = flush
  }

  /** Unpacks streams with or without an end. An input that was cut off gives what is there. */
  static inflate(): KeptZlib {
    return new KeptZlib(() => createInflateRaw({ chunkSize }), constants.Z_SYNC_FLUSH)
  }

  /**
   * Packs into streams without an end, which others can follow. Each call resets the engine. So Z_FULL_FLUSH would give
   * the same, but clear the engine's table of 64 kB once more.
   */
  static deflate(level: number): KeptZlib {
    return new KeptZlib(() => createDeflateRaw({ level, chunkSize }), constants.Z_SYNC_FLUSH)
  }

  static gzip(level: number): KeptZlib {
    return new KeptZlib(() => createGzip({ level, chunkSize }), constants.Z_FINISH)
  }

  /** The output for a whole input: a view that the next call overwrites. Throws an error of zlib. */
  view(bytes: Uint8Array): Buffer {
    const engine = this.#engine ?? this.#begin()
    const { _handle: handle } = engine
    // An engine that fails is not used again.
    this.#engine = undefined
    engine.reset()
    const output = engine._processChunk(bytes, this.#flush)
    engine._handle = handle
    // Each call adds one.
    engine.removeAllListeners('error')
    this.#engine = engine
    return output
  }

  #begin(): Engine {
    const engine = this.#make()
    engine._handle.close = () => undefined
    return engine
  }
}

const inflater = KeptZlib.inflate()

/** Unpacks what `deflateRawSync` made, or parts of it. The bytes are a view that the next call overwrites. */
export function inflateView(packed: Uint8Array): Buffer {
  return inflater.view(packed)
}
