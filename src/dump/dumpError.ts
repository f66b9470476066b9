import { UserError } from '../runtime/userError.js'

/** Position of a problem in the decompressed XML. */
export interface DumpPlace {
  readonly dumpName: string | undefined
  /** From 1. */
  readonly line: number | undefined
  /** UTF-8 bytes from the start of the decompressed XML. Exact unless damaged bytes were replaced shortly before. */
  readonly byteOffset: number | undefined
  /** Title of the current page; undefined between pages. */
  readonly title: string | undefined
}

const NOWHERE: DumpPlace = { dumpName: undefined, line: undefined, byteOffset: undefined, title: undefined }

/**
 * A dump that cannot be read further: missing, damaged, cut off, foreign or hostile. The message names the position.
 */
export class DumpError extends UserError implements DumpPlace {
  override readonly name = 'DumpError'
  readonly dumpName: string | undefined
  readonly line: number | undefined
  readonly byteOffset: number | undefined
  readonly title: string | undefined

  constructor(
    /** The problem, without the position. */
    readonly reason: string,
    place: Partial<DumpPlace> = NOWHERE,
    options?: ErrorOptions,
  ) {
    super(describe(reason, place), options)
    this.dumpName = place.dumpName
    this.line = place.line
    this.byteOffset = place.byteOffset
    this.title = place.title
  }

  /** The same error with `place` added; known parts of its position stay. */
  at(place: DumpPlace): DumpError {
    return new DumpError(
      this.reason,
      {
        dumpName: this.dumpName ?? place.dumpName,
        line: this.line ?? place.line,
        byteOffset: this.byteOffset ?? place.byteOffset,
        title: this.title ?? place.title,
      },
      this.cause === undefined ? undefined : { cause: this.cause },
    )
  }
}

/** For input that is not a dump at all. */
export function notAnExport(): DumpError {
  const reason = 'is not a MediaWiki XML export: it does not begin with a <mediawiki> element'
  return new DumpError(reason, { line: 1, byteOffset: 0 })
}

function describe(reason: string, { dumpName, line, byteOffset, title }: Partial<DumpPlace>): string {
  const place = [
    line === undefined ? [] : `line ${line}`,
    byteOffset === undefined ? [] : `byte ${byteOffset} of the ${line === undefined ? 'SQL' : 'XML'}`,
    title === undefined ? [] : `page "${title}"`,
  ].flat()
  const subject = dumpName === undefined ? '' : `${dumpName}: `
  return subject + reason + (place.length === 0 ? '' : ` (${place.join(', ')})`)
}
