/** Load from wrk, which repeats a fixed series of paths. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pinning } from './pinning.js'
import type { Sandbox } from './sandbox.js'

/** The counts of one run of wrk. */
export interface LoadCounts {
  readonly requests: number
  readonly durationMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Latencies by percentile, such as `99.9`. */
  readonly percentilesMs: Readonly<Record<string, number>>
  /** Answers outside 2xx and 3xx, and connection errors. */
  readonly errors: number
}

export interface LoadOptions {
  /** Length of the run, in whole seconds. */
  readonly seconds: number
  readonly connections: number
  /** Path of a script from `writeLoadScript`. */
  readonly script: string
}

/** Loads a server at an origin such as `http://127.0.0.1:8080`. Throws if wrk fails. */
export type LoadGenerator = (origin: string, options: LoadOptions) => Promise<LoadCounts>

/** A generator that has the core of the load to itself. */
export function loadGenerator(sandbox: Sandbox, { pin, loadCore }: Pinning, wrk: string): LoadGenerator {
  return async (origin, { seconds, connections, script }) => {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, origin]
    const { status, stdout } = await sandbox.run(...pin(loadCore, wrk, args))
    const line = stdout.split('\n').findLast((text) => text.startsWith('{'))
    if (status !== 0 || line === undefined) throw new Error(`wrk failed on ${origin}:\n${stdout}`)
    return JSON.parse(line) as LoadCounts
  }
}

export interface ScriptOptions {
  /** Adds a different query to each request, which no route reads. So no answer cached by URL matches. */
  readonly neverTwice?: boolean
  /** Sent with every request; ASCII. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Writes a script that requests `paths` in turn and prints the counts as JSON. Each path is a URL path in ASCII. */
export function writeLoadScript(
  folder: string,
  paths: readonly string[],
  { neverTwice = false, headers = {} }: ScriptOptions = {},
): string {
  const script = join(folder, 'load.lua')
  const list = paths.map((path) => `  ${JSON.stringify(neverTwice ? openQuery(path) : path)},\n`).join('')
  const sent = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}\n`,
  )
  const ask = neverTwice ? ASK_ANEW : ASK_AGAIN
  writeFileSync(script, `local paths = {\n${list}}\n${sent.join('')}${ask}${COUNT}`)
  return script
}

/** The path with the start of another parameter, to which the script adds a value. */
const openQuery = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}asked=`

const ASK_AGAIN = `
local requests = {}
local at = 0

function init()
  for number, path in ipairs(paths) do requests[number] = wrk.format("GET", path) end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
`

/** Each run starts at another place of a long list, so that it does not repeat the queries of the run before. */
const ASK_ANEW = `
local asked
local run

function init()
  run = os.time() .. "-"
  asked = os.time() * 7919 % #paths
end

function request()
  asked = asked + 1
  return wrk.format("GET", paths[asked % #paths + 1] .. run .. asked)
end
`

const COUNT = `
function done(summary, latency)
  local e = summary.errors
  local percentiles = {}
  for number, share in ipairs({ 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99 }) do
    percentiles[number] = string.format('"%s":%.3f', share, latency:percentile(share) / 1000)
  end
  io.write(string.format(
    '{"requests":%d,"durationMs":%.3f,"p50Ms":%.3f,"p99Ms":%.3f,"errors":%d,"percentilesMs":{%s}}\\n',
    summary.requests, summary.duration / 1000, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout, table.concat(percentiles, ",")))
end
`
