/** Reads random rows of a store all the time, as a process of its own, and reports how long each read took. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Store } from '../../src/storage/store.js'

const [dataDir, rows] = process.argv.slice(2) as [string, string]
const store = Store.open(dataDir)
let times: number[] = []
let isOpen = true
process.on('message', (message) => {
  if (message === 'report') {
    process.send!(times)
    times = []
  } else isOpen = false
})
process.send!('open')
while (isOpen) {
  store.refresh()
  const before = performance.now()
  store.tables.text.getBinary(1 + Math.floor(Math.random() * Number(rows)))
  times.push(performance.now() - before)
  await nextTurn()
}
await store.close()
process.disconnect()
