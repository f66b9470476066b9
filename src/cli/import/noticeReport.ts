/** Report file: one line of JSON per notice, in order. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { CommandError } from '../commandError.js'
import type { Notice } from '../../import/notices.js'

const BUFFER_LENGTH = 65_536

export class NoticeReport {
  readonly #path: string
  readonly #file: number
  #lines: string[] = []
  #length = 0

  /** Throws a CommandError when the file cannot be written; `write` and `close` do too. */
  constructor(path: string) {
    this.#path = path
    this.#file = this.#try(() => openSync(path, 'w'))
  }

  write(dumpName: string, notice: Notice): void {
    const {
      kind,
      leftOut = null,
      reason,
      line = null,
      title = null,
      pageId = null,
      revisionId = null,
      member,
    } = notice
    const file = member === undefined ? dumpName : `${dumpName}: ${member}`
    const row = { file, line, pageId, title, revisionId, kind, leftOut, reason }
    const text = `${JSON.stringify(row)}\n`
    this.#lines.push(text)
    this.#length += text.length
    if (this.#length >= BUFFER_LENGTH) this.#flush()
  }

  close(): void {
    try {
      this.#flush()
    } finally {
      closeSync(this.#file)
    }
  }

  #flush(): void {
    let rest = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#length = 0
    this.#try(() => {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#file, rest))
    })
  }

  #try<Result>(action: () => Result): Result {
    try {
      return action()
    } catch (error) {
      if (!isSystemError(error)) throw error
      const detail = describeSystemError(error, this.#path)
      throw new CommandError(`cannot write the report: ${detail}`, { cause: error })
    }
  }
}
