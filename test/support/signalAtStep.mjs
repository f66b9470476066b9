/**
 * Loaded into a command before its own code. Counts the steps in which the main thread of the command changes the disk or
 * starts a process, and sends the process the signal SIGNAL just before step number STEP. The file STEPS gets the number
 * of all steps when the command ends.
 */
import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'

const { STEP, SIGNAL, STEPS } = process.env
// Not for the processes that the command starts.
delete process.env.NODE_OPTIONS
const { writeFileSync } = fs
let steps = 0

/** Makes each call of a method a step, or each whose first argument is `argument`. */
function count(object, name, argument) {
  const method = object[name]
  object[name] = function (...args) {
    if (argument === undefined || args[0] === argument) {
      if (++steps === Number(STEP)) process.kill(process.pid, SIGNAL)
    }
    return method.apply(this, args)
  }
}

if (isMainThread) {
  for (const name of ['mkdirSync', 'renameSync', 'fsyncSync', 'rmSync']) count(fs, name)
  count(childProcess, 'spawn')
  syncBuiltinESMExports()
  // The package lmdb emits this in each write transaction, before anything is written.
  count(EventEmitter.prototype, 'emit', 'begin-transaction')
  process.on('exit', () => STEPS && writeFileSync(STEPS, String(steps)))
}
