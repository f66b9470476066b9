/** Takes the write lock of the store in a data folder, says so, and stops itself with the lock in hand. */
import process from 'node:process'
import { Store } from '../../dist/.test/modules.js'

const store = Store.open(process.argv[2])
store.transactDerived(() => {
  process.stdout.write('held\n')
  process.kill(process.pid, 'SIGSTOP')
})
await store.close()
