/** Notices of an import: on the terminal, and in a file of their own. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { describeNotice, type Notice, NOTICE_KINDS, type NoticeKind } from '../../import/notices.js'
import { formatCount } from './progress.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { CommandError } from '../commandError.js'

/** Number of notices printed per kind and dump. */
const SHOWN = 5

export interface KindCount {
  readonly kind: NoticeKind
  readonly count: number
  readonly isLeftOut: boolean
}

export interface NoticeLogOptions {
  readonly print: (line: string) => void
  readonly report: NoticeReport | undefined
}

/** Prints the first notices of each kind and counts the rest, in bounded memory. */
export class NoticeLog {
  readonly #dumpName: string
  readonly #options: NoticeLogOptions
  readonly #counts = new Map<NoticeKind, { count: number; isLeftOut: boolean }>()

  constructor(dumpName: string, options: NoticeLogOptions) {
    this.#dumpName = dumpName
    this.#options = options
  }

  add(notice: Notice): void {
    const { kind, leftOut } = notice
    const counted = this.#counts.get(kind) ?? { count: 0, isLeftOut: leftOut !== undefined }
    counted.count++
    this.#counts.set(kind, counted)
    this.#options.report?.write(this.#dumpName, notice)
    if (counted.count <= SHOWN) this.#options.print(`${this.#dumpName}: ${describeNotice(notice)}`)
  }

  /** Prints the number of notices of each kind that were not printed. */
  end(): void {
    const { print, report } = this.#options
    const hint = report === undefined ? '; --report FILE lists all' : ''
    for (const [kind, { count }] of this.#counts) {
      if (count <= SHOWN) continue
      const more = formatCount(count - SHOWN)
      print(`${this.#dumpName}: … and ${more} more of this kind: ${NOTICE_KINDS[kind]}${hint}`)
    }
  }

  /** Counts by kind, those of omissions first. */
  counts(): KindCount[] {
    const counts = [...this.#counts].map(([kind, counted]) => ({ kind, ...counted }))
    return counts.sort((a, b) => Number(b.isLeftOut) - Number(a.isLeftOut))
  }
}

/** In UTF-16 units. */
const BUFFER_LENGTH = 65_536

/** Report file: one line of JSON per notice, in order. */
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
