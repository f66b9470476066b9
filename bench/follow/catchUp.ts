/**
 * Catching up from a wiki that answers each request after 100 ms: revisions a second, requests, memory, and how long a
 * deletion at the end of a long backlog takes. See bench/README.md.
 *
 *     node bench/results/build/bench/follow/catchUp.js [--rounds N]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Store } from '../../src/storage/store.js'
import { readOptions } from '../support/options.js'
import { readMemory } from '../support/processMemory.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { formatNumber, printTable } from '../support/table.js'
import { SteadyWiki } from './steadyWiki.js'
import { TEXT_BYTES, textOf } from './texts.js'

const PAGES = 2000
const CHANGES = 20_000
const BACKLOG = 100_000
const ANSWER_MS = 100
const DELETED = 77
const AIM = 'Aims: 200 revisions/s, 150 MB private, one request at a time, the deletion within 60 s.'

interface Ended {
  readonly seconds: number
  readonly privateBytes: number
}

/** Runs a follower until it ends, or `isDone`. */
async function follow(dataDir: string, flags: readonly string[], isDone?: () => boolean): Promise<Ended> {
  const began = performance.now()
  const args = ['follow', '--data-dir', dataDir, '--log-level', 'error', ...flags]
  const child = spawn(PALIMPSEST, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const exit = once(child, 'exit')
  let privateBytes = 0
  let seconds: number | undefined
  const timer = setInterval(() => {
    privateBytes = Math.max(privateBytes, readMemory(child.pid!)?.privateBytes ?? 0)
    if (seconds !== undefined || isDone?.() !== true) return
    seconds = (performance.now() - began) / 1000
    child.kill('SIGTERM')
  }, 100)
  const [status] = (await exit) as [number | null]
  clearInterval(timer)
  if (status !== 0) throw new Error(`the follower ended with status ${status}`)
  return { seconds: seconds ?? (performance.now() - began) / 1000, privateBytes }
}

async function measure(sandbox: Sandbox): Promise<void> {
  const wiki = new SteadyWiki(PAGES, textOf)
  wiki.edit(1)
  const url = await wiki.listen()
  const dataDir = sandbox.folder('catch-up-')
  await follow(dataDir, ['--upstream', url, '--once'])
  wiki.answerMs = ANSWER_MS
  wiki.edit(CHANGES)
  wiki.requests = wiki.mostOpen = 0
  const caughtUp = await follow(dataDir, ['--once'])
  const { requests, mostOpen } = wiki
  wiki.edit(BACKLOG)
  wiki.delete(DELETED)
  const store = Store.open(dataDir)
  const deletion = await follow(dataDir, [], () => {
    store.refresh()
    return store.getPageById(DELETED) === undefined
  })
  await store.close()
  wiki.close()
  const figures = {
    revisionsPerSecond: CHANGES / caughtUp.seconds,
    requestsPerRevision: requests / CHANGES,
    requestsAtOnce: mostOpen,
    privateMegabytes: caughtUp.privateBytes / 1e6,
    deletionSeconds: deletion.seconds,
    backlogPrivateMegabytes: deletion.privateBytes / 1e6,
  }
  printTable(
    ['figure', 'value'],
    Object.entries(figures).map(([name, value]) => [name, formatNumber(value, 2)]),
  )
  console.log(AIM)
  writeResult('catchUp', {
    setup: { PAGES, CHANGES, BACKLOG, ANSWER_MS, TEXT_BYTES },
    samples: [figures],
    summary: figures,
  })
}

readOptions()
const sandbox = new Sandbox()
try {
  await measure(sandbox)
} finally {
  await sandbox.close()
}
