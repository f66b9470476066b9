/** Stores made from dumps of the corpus, kept between runs. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ENCODER_VERSION } from '../../src/index/text/encoder.js'
import { FORMAT_VERSION } from '../../src/storage/tables/meta.js'
import { PALIMPSEST, RESULTS } from './repository.js'
import type { Sandbox } from './sandbox.js'

const HASH_DIGITS = 16

/**
 * Data folder of an imported dump. Imports the dump if necessary; throws if that fails. The folder's name contains the
 * versions of store and index and the dump's hash, so another version or dump gets another folder.
 */
export async function cachedStore(sandbox: Sandbox, dump: string): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(dump)).digest('hex').slice(0, HASH_DIGITS)
  const cache = join(RESULTS, 'cache')
  const version = `format${FORMAT_VERSION}-index${ENCODER_VERSION}`
  const folder = join(cache, `${basename(dump)}-${version}-${hash}`)
  if (existsSync(folder)) return folder
  console.log(`importing ${basename(dump)} into ${folder}`)
  // Renamed once complete, so that an interrupted import never looks like a store.
  const unfinished = join(sandbox.folder('import'), 'store')
  const { status } = await sandbox.run(PALIMPSEST, ['import', '--data-dir', unfinished, dump])
  if (status !== 0) throw new Error(`the import of ${dump} failed`)
  mkdirSync(cache, { recursive: true })
  renameSync(unfinished, folder)
  return folder
}
