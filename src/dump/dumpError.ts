import { UserError } from '../userError.js'

/** Where in the decompressed XML a problem was met. */
export interface DumpPlace {
  readonly dumpName: string | undefined
  /** From 1. */
  readonly line: number | undefined
  /** Bytes from the start of the decompressed XML in UTF-8. Exact unless damaged bytes were replaced shortly before. */
  readonly byteOffset: number | undefined
  /** Title of the page that was being read; undefined between pages. */
  readonly title: string | undefined
}

const NOWHERE: DumpPlace = { dumpName: undefined, line: undefined, byteOffset: undefined, title: undefined }

/** A dump that cannot be read (on): missing, damaged, cut off, foreign or hostile. The message names the place. */
export class DumpError extends UserError implements DumpPlace {
  override readonly name = 'DumpError'
  readonly dumpName: string | undefined
  readonly line: number | undefined
  readonly byteOffset: number | undefined
  readonly title: string | undefined

  constructor(
    /** What is wrong, without the place. */
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

  /** The same error, met at `place`; what this error already knows of its place is kept. */
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

/** For input that is something else altogether. */
export function notAnExport(): DumpError {
  const reason = 'is not a MediaWiki XML export: it does not begin with a <mediawiki> element'
  return new DumpError(reason, { line: 1, byteOffset: 0 })
}

function describe(reason: string, { dumpName, line, byteOffset, title }: Partial<DumpPlace>): string {
  const place = [
    line === undefined ? [] : `line ${line}`,
    byteOffset === undefined ? [] : `byte ${byteOffset} of the XML`,
    title === undefined ? [] : `page "${title}"`,
  ].flat()
  const subject = dumpName === undefined ? '' : `${dumpName}: `
  return subject + reason + (place.length === 0 ? '' : ` (${place.join(', ')})`)
}
