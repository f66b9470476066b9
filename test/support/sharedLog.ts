/** A shared log under test, on any engine, with a store that applies it. */
import type { LogEngine } from '../../src/log/logEngine.js'
import { recordOf, SharedLog } from '../../src/log/sharedLog.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { joinLog, readRecord } from '../../src/storage/apply/sharedEntries.js'
import { LOG_START } from '../../src/storage/tables/meta.js'
import { Store } from '../../src/storage/store.js'
import type { LogUnderTest } from '../log/logContract.js'
import { temporaryFolder } from './store.js'

const EPOCH = 'e'.repeat(32)

export interface EngineOptions {
  /** Opens the engine; each call has connections of its own. */
  readonly open: () => Promise<LogEngine>
  readonly cut: (first: number) => Promise<void>
}

export async function sharedLogOn({ open, cut }: EngineOptions): Promise<LogUnderTest> {
  const engine = await open()
  const origin = { epoch: EPOCH, ...LOG_START }
  await engine.create(origin)
  const log = new SharedLog(engine, EPOCH)
  const store = Store.open(temporaryFolder(), { create: true })
  joinLog(store, origin)
  const applier = new Applier(store)
  return {
    log,
    cut,
    applied: async () => {
      const { last } = await log.bounds()
      const from = store.position().sequence
      if (from < last)
        for await (const { records } of log.read(from)) {
          applier.submitShared(records.map(({ sequence, bytes }) => readRecord(sequence, bytes)))
          if (store.position().sequence >= last) break
        }
      return store.log.mark()
    },
    addElsewhere: async (entry) => {
      const other = await open()
      await other.append([recordOf(entry)])
      await other.close()
    },
    close: () => store.close(),
  }
}
