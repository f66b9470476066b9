/**
 * Keeps threads on their cores. It is a process of its own, because a start of `taskset` stops the starting thread,
 * sometimes for more than a second. Reads from that thread would wait.
 */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { childProcesses } from './processMemory.js'
import { READER_PRIORITY, runFirst } from './realTime.js'

const run = promisify(execFile)
/** New threads and child processes begin on the core of their parent. They are found after at most this time. */
const LOOK_EVERY_MS = 20

export interface KeeperOrder {
  readonly server: number
  /** The process whose main thread sends the reads. It shares the core of the event loop. */
  readonly reader: number
  readonly loopCore: number
  readonly otherCore: number
}

/** Sent once all threads are in their places. */
export interface KeeperReady {
  /** False without the right to give priority. */
  readonly hasPriority: boolean
}

const known = new Set<number>()

async function keep(order: KeeperOrder): Promise<void> {
  await move(process.pid, order.otherCore, '--all-tasks')
  await look(order)
  const hasPriority = (await runFirst(order.server)) && (await runFirst(order.reader, READER_PRIORITY))
  const ready: KeeperReady = { hasPriority }
  process.send!(ready)
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    await look(order)
  }
}

async function look({ server, reader, loopCore, otherCore }: KeeperOrder): Promise<void> {
  const moves: Promise<void>[] = []
  for (const pid of [server, reader]) {
    for (const thread of readdirSync(`/proc/${pid}/task`).map(Number)) {
      if (!known.has(thread)) moves.push(move(thread, thread === pid ? loopCore : otherCore))
      known.add(thread)
    }
    for (const child of childProcesses(pid)) {
      if (!known.has(child) && child !== process.pid) moves.push(move(child, otherCore, '--all-tasks'))
      known.add(child)
    }
  }
  await Promise.all(moves)
}

async function move(id: number, core: number, ...options: string[]): Promise<void> {
  try {
    await run('taskset', [...options, '--cpu-list', '--pid', String(core), String(id)])
  } catch (error) {
    // The thread or process has ended meanwhile.
    if (!/No such process/.test(String((error as { stderr?: unknown }).stderr))) throw error
  }
}

process.once('message', (order: KeeperOrder) => void keep(order))
process.once('disconnect', () => process.exit())
