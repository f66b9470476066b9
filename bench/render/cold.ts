/**
 * Measures HTML of pages that nobody has asked for before, in processor time, beside the bare package `parsoid`. Tells
 * which outputs differ from those of the last run. See bench/README.md.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions } from '../support/options.js'
import { findDump, RESULTS } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { percentile, summarise, type Summary } from '../support/statistics.js'
import { cachedStore } from '../support/storeCache.js'
import { formatSummary, printTable } from '../support/table.js'
import type { PageTime, RoundRequest } from './cold/renderProcess.js'

/** Articles of each dump. Most of the first call modules, none of the second. */
const CORPORA = [
  { dump: 'demo-wikipedia-sample.xml.bz2', label: 'with modules', pages: 12 },
  { dump: 'mixed-pages-articles.xml.bz2', label: 'without modules', pages: 40 },
] as const
const ENGINES = ['palimpsest', 'bare'] as const
type EngineName = (typeof ENGINES)[number]
const AIM = 2
const RESULT = 'render-cold'

interface Sample extends PageTime {
  readonly corpus: string
  readonly engine: EngineName
  /** Counted from 1. */
  readonly round: number
}

interface CorpusSummary {
  readonly corpus: string
  readonly pages: number
  readonly perCpuSecond: Readonly<Record<EngineName, Summary>>
  /** Of our pages, in milliseconds of processor time: the value that half and 95 % of a round do not exceed. */
  readonly pageMs: { readonly p50: Summary; readonly p95: Summary }
  /** Our rate as a multiple of that of the bare package in the same round. */
  readonly ratio: Summary
}

const { rounds = 3, pages: wantedPages } = readOptions()
const sandbox = new Sandbox()
try {
  await measure()
} finally {
  await sandbox.close()
}

async function measure(): Promise<void> {
  const requests: { readonly label: string; readonly request: RoundRequest }[] = []
  for (const { dump, label, pages } of CORPORA) {
    const path = findDump(dump)
    if (path !== undefined)
      requests.push({
        label,
        request: { dataDir: await cachedStore(sandbox, path), pages: wantedPages ?? pages },
      })
  }
  if (requests.length === 0) return
  const processes = ENGINES.map((engine) => ({ engine, process: startProcess(engine) }))
  const samples: Sample[] = []
  try {
    // Round 0 compiles code and expands templates for the bare package. It does not count.
    for (let round = 0; round <= rounds; round++)
      for (const { label, request } of requests)
        for (const { engine, process } of processes) {
          const times = await runRound(process, request)
          if (round > 0) samples.push(...times.map((time) => ({ corpus: label, engine, round, ...time })))
        }
  } finally {
    for (const { process } of processes) process.disconnect()
  }
  report(
    samples,
    requests.map(({ label }) => label),
  )
}

function startProcess(engine: EngineName): ChildProcess {
  const child = fork(join(import.meta.dirname, 'cold/renderProcess.js'), [engine])
  child.once('exit', (status) => {
    if (status !== 0) throw new Error(`the process of ${engine} ended with status ${status}`)
  })
  return child
}

async function runRound(child: ChildProcess, request: RoundRequest): Promise<PageTime[]> {
  child.send(request)
  const [times] = (await once(child, 'message')) as [PageTime[]]
  return times
}

function report(samples: readonly Sample[], corpora: readonly string[]): void {
  const summary = corpora.map((corpus) => summariseCorpus(samples, corpus))
  printTable(
    ['cold pages for each CPU second', 'pages', 'palimpsest', 'parsoid alone', 'ratio', 'p50, ms', 'p95, ms'],
    summary.map(({ corpus, pages, perCpuSecond, ratio, pageMs }) => [
      corpus,
      String(pages),
      formatSummary(perCpuSecond.palimpsest, 2),
      formatSummary(perCpuSecond.bare, 2),
      formatSummary(ratio, 2),
      formatSummary(pageMs.p50, 0),
      formatSummary(pageMs.p95, 0),
    ]),
  )
  console.log(`Aim: a ratio of at least ${AIM}.`)
  const outputs = outputsOf(samples)
  reportOutputs(outputs)
  writeResult(RESULT, { setup: { CORPORA, rounds }, samples, summary: { corpora: summary, outputs } })
}

function summariseCorpus(all: readonly Sample[], corpus: string): CorpusSummary {
  const samples = all.filter((sample) => sample.corpus === corpus)
  const rounds = [...new Set(samples.map(({ round }) => round))]
  const pages = new Set(samples.map(({ key }) => key)).size
  const rates = (engine: EngineName): number[] =>
    rounds.map((round) => {
      const times = samples.filter((sample) => sample.engine === engine && sample.round === round)
      return (1000 * pages) / times.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
    })
  const [ours, bare] = [rates('palimpsest'), rates('bare')]
  const pageMs = (share: number): Summary =>
    summarise(
      rounds.map((round) =>
        percentile(
          samples
            .filter((sample) => sample.engine === 'palimpsest' && sample.round === round)
            .map(({ cpuMs }) => cpuMs),
          share,
        ),
      ),
    )
  return {
    corpus,
    pages,
    perCpuSecond: { palimpsest: summarise(ours), bare: summarise(bare) },
    ratio: summarise(ours.map((rate, n) => rate / bare[n]!)),
    pageMs: { p50: pageMs(0.5), p95: pageMs(0.95) },
  }
}

/** Hashes of our outputs, by page. Throws if a page differs between two rounds. */
function outputsOf(samples: readonly Sample[]): Record<string, string> {
  const outputs: Record<string, string> = {}
  for (const { engine, corpus, key, hash } of samples) {
    if (engine !== 'palimpsest') continue
    const name = `${corpus}: ${key}`
    if ((outputs[name] ??= hash) !== hash) throw new Error(`the output of ${key} differs between rounds`)
  }
  return outputs
}

function reportOutputs(outputs: Readonly<Record<string, string>>): void {
  const all = createHash('sha256').update(JSON.stringify(outputs)).digest('hex')
  console.log(`Hash of all outputs: ${all.slice(0, 16)}`)
  const last = lastOutputs()
  if (last === undefined) return
  const changed = Object.keys(outputs).filter((name) => last[name] !== outputs[name])
  console.log(
    changed.length === 0
      ? 'All outputs are those of the last run.'
      : `Outputs that differ from those of the last run:\n  ${changed.join('\n  ')}`,
  )
}

function lastOutputs(): Readonly<Record<string, string>> | undefined {
  const path = join(RESULTS, `${RESULT}.json`)
  if (!existsSync(path)) return undefined
  const last = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly summary: { readonly outputs: Readonly<Record<string, string>> }
  }
  return last.summary.outputs
}
