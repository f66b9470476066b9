/** Other search engines over the same texts: SQLite's FTS5 in its own process, and FlexSearch with default settings. */
import { once } from 'node:events'
import { Index } from 'flexsearch'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { findProgram } from '../support/machine.js'
import { REPOSITORY } from '../support/repository.js'
import type { Sandbox } from '../support/sandbox.js'
import type { BenchText } from './texts.js'

export interface PeerQuery {
  readonly query: readonly string[]
  readonly limit: number
  readonly excerpts: boolean
  /** Number of runs. */
  readonly times: number
}

export interface PeerAnswer {
  readonly ids: readonly number[]
  readonly micros: readonly number[]
}

export interface PeerRun {
  readonly version: string
  readonly seconds: number
  readonly answers: readonly PeerAnswer[]
}

/** Undefined, with a message, if python3 is not installed. */
export async function runFts5(
  sandbox: Sandbox,
  texts: readonly BenchText[],
  queries: readonly PeerQuery[],
): Promise<PeerRun | undefined> {
  const python = findProgram('python3')
  if (python === undefined) {
    console.log('python3 is missing: measured without FTS5.')
    return undefined
  }
  const database = join(sandbox.folder('fts5'), 'pages.db')
  const program = join(REPOSITORY, 'bench/search/fts5.py')
  const child = await sandbox.start(python, [program, database], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const input = child.stdin!
  const send = async (value: object): Promise<void> => {
    if (!input.write(`${JSON.stringify(value)}\n`)) await once(input, 'drain')
  }
  const sent = (async () => {
    for (const text of texts) await send(text)
    for (const query of queries) await send(query)
    input.end()
  })()
  const answers: PeerAnswer[] = []
  const read = async (): Promise<unknown> => {
    const line = await lines.next()
    if (line.done) throw new Error('the FTS5 program ended early')
    return JSON.parse(line.value) as unknown
  }
  const { version, seconds } = (await read()) as { version: string; seconds: number }
  for (let n = 0; n < queries.length; n++) answers.push((await read()) as PeerAnswer)
  await sent
  return { version: `FTS5 (SQLite ${version})`, seconds, answers }
}

/** FlexSearch in memory with its own encoder and scoring. */
export function runFlexSearch(texts: readonly BenchText[], queries: readonly PeerQuery[]): PeerRun {
  const begun = performance.now()
  const index = new Index()
  for (const { page, title, text } of texts) index.add(page, `${title} ${text}`)
  const seconds = (performance.now() - begun) / 1000
  const answers = queries.map(({ query, limit, times }) => {
    const micros: number[] = []
    let ids: readonly number[] = []
    for (let n = 0; n < times; n++) {
      const start = performance.now()
      ids = index.search(query.join(' '), { limit }) as number[]
      micros.push((performance.now() - start) * 1000)
    }
    return { ids, micros }
  })
  return { version: 'FlexSearch', seconds, answers }
}
