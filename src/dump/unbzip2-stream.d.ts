/** unbzip2-stream 1.4.3 ships no types. These are the parts in use. */
declare module 'unbzip2-stream' {
  /** Synchronous: `write` and `end` emit the unpacked data and any error before they return. */
  export interface Unbzip2Stream {
    on(event: 'data', listener: (bytes: Buffer) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    write(bytes: Buffer): boolean
    end(): void
  }
  export default function unbzip2Stream(): Unbzip2Stream
}
