/** Caches the last decoded long string. */
import { decodeSubject, type Subject } from './subject.js'

const MIN_BYTES = 64

export class SubjectCache {
  #bytes: Buffer | undefined
  #subject: Subject | undefined

  get(memory: Buffer, start: number, end: number): Subject | undefined {
    if (end - start < MIN_BYTES) return decodeSubject(memory, start, end)
    if (
      this.#bytes?.length !== end - start ||
      memory.compare(this.#bytes, 0, this.#bytes.length, start, end) !== 0
    ) {
      this.#bytes = Buffer.from(memory.subarray(start, end))
      this.#subject = decodeSubject(memory, start, end)
    }
    return this.#subject
  }
}
