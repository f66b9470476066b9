/**
 * The process in which `verify` reads a store, and its messages. A damaged page can crash a process inside LMDB. So it
 * reports on descriptor 3, line by line, what it reads next and what it finds.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { VERIFY_PARTS, type VerifyPart } from '../../storage/verify/parts.js'
import { originalProblems } from '../../files/verifyOriginals.js'
import { DamagedFileError, DamagedRowError, StoreError } from '../../storage/tables/errors.js'
import { Store } from '../../storage/store.js'
import { digestStore } from '../../storage/verify/digest.js'
import { checkPagesOfFile } from '../../storage/verify/pagesOfFile.js'
import { verifyStore } from '../../storage/verify/verify.js'

/** `file alone` checks the pages of a file that cannot be opened as a store. */
export type CheckedPart = VerifyPart | 'originals' | 'digest' | 'file alone'

export interface VerifyRequest {
  readonly dataDir: string
  readonly parts: readonly CheckedPart[]
  /** Also read the contents of files, and compare their hashes. */
  readonly hashes: boolean
}

/** One line of the process's output. */
export interface VerifyMessage {
  /** The part that begins. */
  readonly part?: CheckedPart
  /** The item to be read next. */
  readonly reading?: string
  readonly problem?: string
  readonly pages?: number
  readonly revisions?: number
  readonly digest?: string
  /** The error that stopped the process early. */
  readonly failure?: string
  /** The store cannot be opened although it is not damaged, so there is nothing to check. */
  readonly refused?: string
  readonly done?: boolean
}

const MESSAGES = 3

function tell(message: VerifyMessage): void {
  writeSync(MESSAGES, `${JSON.stringify(message)}\n`)
}

async function check(request: VerifyRequest): Promise<void> {
  const { dataDir, parts } = request
  if (parts[0] === 'file alone') return checkFileAlone(dataDir)
  tell({ reading: 'opening the store' })
  const store = Store.open(dataDir)
  isOpen = true
  try {
    for (const part of parts) {
      tell({ part, reading: part })
      await checkPart(store, part, request)
    }
  } finally {
    await store.close()
  }
}

/** Checks the pages of a store that cannot be opened. */
function checkFileAlone(dataDir: string): void {
  tell({ part: 'file alone', reading: 'file' })
  checkPagesOfFile(join(dataDir, 'store/data.mdb'), (problem) => tell({ problem }))
}

async function checkPart(store: Store, part: CheckedPart, { dataDir, hashes }: VerifyRequest): Promise<void> {
  if (part === 'originals') {
    for await (const problem of originalProblems(dataDir, store, { hashes })) tell({ problem })
  } else if (part === 'digest') tell({ digest: digestStore(store) })
  else if (isStorePart(part)) {
    const onReading = (reading: string): void => tell({ reading })
    // Reports each problem at once, since the next row may crash the process.
    const onProblem = (problem: string): void => tell({ problem })
    const { pages, revisions } = verifyStore(store, { parts: [part], onReading, onProblem })
    if (part === 'pages') tell({ pages, revisions })
  }
}

const isStorePart = (part: CheckedPart): part is VerifyPart =>
  (VERIFY_PARTS as readonly string[]).includes(part)

const isDamage = (error: unknown): boolean =>
  error instanceof DamagedFileError || error instanceof DamagedRowError

let isOpen = false
try {
  await check(JSON.parse(process.argv[2]!) as VerifyRequest)
  tell({ done: true })
} catch (error) {
  if (isOpen || !(error instanceof StoreError) || isDamage(error)) tell({ failure: String(error) })
  else tell({ refused: error.message })
}
