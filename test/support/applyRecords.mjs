/**
 * Applies records of a shared log to a store, as a machine of its own would: `node applyRecords.mjs FOLDER RECORDS SEED`.
 * Cuts batches, and finishes erasures in between, by chance. Prints what must be the same on every machine as JSON.
 * With OTHER_COMPRESSOR=1 in the environment, it packs texts into other bytes.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'

if (process.env['OTHER_COMPRESSOR'] === '1') {
  const { deflateRawSync, constants } = zlib
  const strategy = constants.Z_HUFFMAN_ONLY
  zlib.deflateRawSync = (bytes, options) => deflateRawSync(bytes, { ...options, strategy })
  syncBuiltinESMExports()
}

const [folder, file, seed] = process.argv.slice(2)
const { Applier, digestStore, eraseAll, hasErasures, readRecord, Store, verifyStore } =
  await import('../../dist/.test/modules.js')

let state = Number(seed)
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  return (state >>> 0) / 2 ** 32
}
const store = Store.open(folder)
const applier = new Applier(store)

/** Users are erased by entries: a machine of a cluster would bring them into the log. */
const refuse = () => {
  throw new Error('an erasure needs an entry of its own')
}
function finishErasures() {
  if (!hasErasures(store)) return
  for (const _step of eraseAll({ store, apply: refuse, removeContents: () => undefined }));
}

const { sequence } = store.position()
const rows = JSON.parse(readFileSync(file, 'utf8')).map((row) => Buffer.from(row, 'base64'))
const items = rows.map((row, n) => readRecord(sequence + n + 1, row))
for (let from = 0; from < items.length;) {
  const to = from + 1 + Math.floor(random() ** 3 * 60)
  applier.submitShared(items.slice(from, to))
  from = to
  if (random() < 0.1) finishErasures()
}
finishErasures()

const verdicts = createHash('sha256')
for (const { entry } of items) verdicts.update(JSON.stringify(store.log.getVerdict(entry.id) ?? null))
const result = {
  digest: digestStore(store),
  position: store.position(),
  verdicts: verdicts.digest('hex'),
  problems: verifyStore(store).problems,
}
await store.close()
process.stdout.write(`${JSON.stringify(result)}\n`)
