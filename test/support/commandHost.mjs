/**
 * Runs commands of the product one after the other in one process, for `runHosted`. Most of the time of a command is the
 * start of its process. Usage: commandHost.mjs START FOLDER. The pipe `requests` of the folder says the number N of
 * a request, which is the file N.request there. The answer is the file N.
 *
 * Each command gets arguments, streams, variables and a working folder of its own. It has ended when nothing is left
 * that would keep its process alive. The host ends after a command that leaves a file of a store open. It also ends, and
 * removes the folder, when the process of the tests has ended.
 */
import {
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

const [START, FOLDER] = process.argv.slice(2)
// Not a stream of a file: its reads would keep the process from its end.
const pipe = openSync(join(FOLDER, 'requests'), constants.O_RDONLY | constants.O_NONBLOCK)
const requests = createInterface({ input: new Socket({ fd: pipe, readable: true, writable: false }) })
const ownVariables = { ...process.env }
const ownFolder = process.cwd()
const listenersBefore = listeners()

async function run(program, number, { parts, input, settings, cwd }) {
  const [out, err] = [new Collected(), new Collected()]
  process.argv = [process.argv[0], program, ...parts]
  process.exitCode = undefined
  process.env = { ...ownVariables, ...settings }
  process.chdir(cwd ?? ownFolder)
  const stdin = Readable.from([Buffer.from(input)], { objectMode: false })
  for (const [name, value] of Object.entries({ stdout: out, stderr: err, stdin }))
    Object.defineProperty(process, name, { value, configurable: true })
  try {
    // It runs the command of `process.argv`. Modules that it loads stay loaded.
    await import(`${pathToFileURL(program)}?${number}`)
  } catch (error) {
    err.write(`${inspect(error)}\n`)
    process.exitCode = 1
  }
  await ended()
  endListeners()
  return { status: process.exitCode ?? 0, out: out.text(), err: err.text(), isClean: isClean() }
}

class Collected extends Writable {
  #chunks = []

  _write(chunk, _encoding, done) {
    this.#chunks.push(chunk)
    done()
  }

  text() {
    return Buffer.concat(this.#chunks).toString()
  }
}

function listeners() {
  return new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]))
}

/** Calls what the command wanted to do at the end of the process, and takes its listeners away. */
function endListeners() {
  for (const [name, now] of listeners()) {
    for (const listener of now.filter((one) => !listenersBefore.get(name)?.includes(one))) {
      process.removeListener(name, listener)
      if (name === 'exit') (listener.listener ?? listener)(process.exitCode ?? 0)
    }
  }
}

/** Waits for what would keep a process of the command alone from its end. */
async function ended() {
  while (process.getActiveResourcesInfo().some((name) => name !== 'PipeWrap'))
    await sleep(1, undefined, { ref: false })
}

/** No file of a store is left open, which the end of a process would close. */
const isClean = () => !openFiles().some((path) => /\.mdb\b/.test(path))

function openFiles() {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      return [readlinkSync(`/proc/self/fd/${number}`)]
    } catch {
      // The one that lists the folder.
      return []
    }
  })
}

for await (const line of requests) {
  const path = join(FOLDER, line)
  const answer = await run(START, line, JSON.parse(readFileSync(`${path}.request`, 'utf8')))
  writeFileSync(`${path}.part`, JSON.stringify(answer))
  renameSync(`${path}.part`, path)
  if (!answer.isClean) process.exit()
}
rmSync(FOLDER, { recursive: true, force: true })
process.exit()
