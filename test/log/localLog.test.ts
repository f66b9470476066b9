import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { DirectWriter } from '../../src/log/directWriter.js'
import { LogCutError } from '../../src/log/editLog.js'
import { LocalLog } from '../../src/log/localLog.js'
import { Applier } from '../../src/storage/apply/applier.js'
import type { Entry } from '../../src/storage/entries/entries.js'
import { cutLog } from '../../src/storage/entries/logCut.js'
import { Store } from '../../src/storage/store.js'
import { temporaryFolder } from '../support/store.js'
import { account, describeLog, type LogUnderTest } from './logContract.js'

function openLog(): Promise<LogUnderTest & { readonly store: Store }> {
  const folder = temporaryFolder()
  const store = Store.open(folder, { create: true })
  return Promise.resolve({
    store,
    log: new LocalLog(store, new DirectWriter(new Applier(store))),
    applied: () => {
      store.refresh()
      return Promise.resolve(store.log.mark())
    },
    addElsewhere: async (entry) => {
      const other = new Worker(WRITE_ELSEWHERE, { eval: true, workerData: { folder, entry } })
      await once(other, 'exit')
    },
    cut: (first) => {
      for (const _removed of cutLog(store, first));
      return Promise.resolve()
    },
    close: () => store.close(),
  })
}

describeLog('LocalLog', openLog)

test('an entry that can be logged but not applied is kept', async () => {
  const { log, close } = await openLog()
  onTestFinished(close)
  expect(await log.append([{ ...account('Ann'), groups: 'sysop' } as unknown as Entry])).toEqual([1])
})

test('a reader behind the cut gets a LogCutError', async () => {
  const { log, cut, close } = await openLog()
  onTestFinished(close)
  await log.append([account('Ann'), account('Bob')])
  await cut(2)
  await expect(log.read(0)[Symbol.asyncIterator]().next()).rejects.toThrow(LogCutError)
})

const WRITE_ELSEWHERE = `
  const { workerData: { folder, entry } } = require('node:worker_threads')
  import(${JSON.stringify(new URL('../../dist/.test/modules.js', import.meta.url).href)}).then(async ({ Store, Applier }) => {
    const store = Store.open(folder)
    new Applier(store).submit(entry)
    await store.close()
  })
`
