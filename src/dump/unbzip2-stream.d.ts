/** unbzip2-stream 1.4.3 ships no types. This is what we use of it. */
declare module 'unbzip2-stream' {
  /** Works within `write` and `end`: what they unpack, and their errors, have been emitted when they return. */
  export interface Unbzip2Stream {
    on(event: 'data', listener: (bytes: Buffer) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    write(bytes: Buffer): boolean
    end(): void
  }
  export default function unbzip2Stream(): Unbzip2Stream
}
