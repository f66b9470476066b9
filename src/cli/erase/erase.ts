/** Erases what the command line names, and finishes what earlier commands left. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { removeContents } from '../../files/removeContents.js'
import { eraseAll, hasErasures, type EraseStage, requestUser } from '../../storage/erase/eraser.js'
import type { Store } from '../../storage/store.js'
import { CommandError } from '../commandError.js'
import type { EraseFlags } from './flags.js'
import { formatCount } from '../import/progress.js'
import { type ApplyChange, type StorePlace, withStore } from '../storeAccess.js'
import { confirm } from './confirm.js'
import { findSubject, type Subject } from './subject.js'

/** How often free pages are looked at that readers still see, and for how long. */
const TRIES = 20
const PAUSE_MS = 250

export async function erase(place: StorePlace, flags: EraseFlags): Promise<void> {
  await withStore(place, async (store, apply) => {
    const subject = findSubject(store, flags)
    if (subject !== undefined) {
      process.stdout.write(`${subject.description}\n`)
      if (!flags.yes && !(await confirm('Erase this for good?'))) throw new CommandError('nothing was erased')
      await begin(store, apply, subject)
    } else if (!hasErasures(store)) {
      process.stdout.write('nothing is left to erase\n')
      return
    }
    const held = await finish(store, place.dataDir, apply)
    process.stdout.write('erased\n')
    if (held === 0) return
    throw new CommandError(
      `${formatCount(held)} free pages of the file still have old bytes, since a reader sees them: ` +
        'a server overwrites them later, and so does "palimpsest erase"',
    )
  })
}

async function begin(store: Store, apply: ApplyChange, { erases }: Subject): Promise<void> {
  if ('user' in erases) requestUser(store, erases.user)
  else for (const change of erases.changes) await apply(change)
}

/** Returns the number of free pages that readers of old snapshots still see. */
async function finish(store: Store, dataDir: string, apply: ApplyChange): Promise<number> {
  for (let left = TRIES; ; left--) {
    const held = await finishOnce(store, dataDir, apply)
    if (held === 0 || left === 1) return held
    await sleep(PAUSE_MS)
  }
}

async function finishOnce(store: Store, dataDir: string, apply: ApplyChange): Promise<number> {
  const steps = eraseAll({
    store,
    apply,
    removeContents: (sha256s) => removeContents(store, dataDir, sha256s),
  })
  let shown: EraseStage | undefined
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (step.value instanceof Promise) {
      await step.value
      continue
    }
    if (step.value !== shown && process.stderr.isTTY) process.stderr.write(`${STAGES[step.value]}\n`)
    shown = step.value
    await nextTurn()
  }
}

const STAGES: Readonly<Record<EraseStage, string>> = {
  revisions: 'taking the name out of revisions',
  log: 'taking the words out of the log',
  file: 'overwriting old bytes in the file',
}
