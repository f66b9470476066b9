/** Prints the first notices of each kind and counts the rest, in bounded memory. */
import { describeNotice, type Notice, NOTICE_KINDS, type NoticeKind } from '../../import/notices.js'
import type { NoticeReport } from './noticeReport.js'
import { formatCount } from './progress.js'

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
