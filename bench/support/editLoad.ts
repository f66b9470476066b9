/** Edits at a steady pace. They are sent from a separate thread, so that they do not disturb measurements. */
import { once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { percentiles } from './readProbe.js'

export interface EditLoadOptions {
  readonly origin: string
  /** Paths of pages. A page never has two edits under way. */
  readonly paths: readonly string[]
  readonly editsPerSecond: number
  readonly seconds: number
}

export interface EditLoadSample {
  readonly offered: number
  readonly saved: number
  /** Edits that fell due while every page had one under way. */
  readonly skipped: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** Adds a line to one page after another. Throws if an edit is not answered with 200. */
export async function loadEdits(options: EditLoadOptions): Promise<EditLoadSample> {
  const thread = new Worker(new URL(import.meta.url), { workerData: options })
  const [sample] = (await once(thread, 'message')) as [EditLoadSample]
  return sample
}

if (parentPort !== null) parentPort.postMessage(await run(workerData as EditLoadOptions))

interface Page {
  readonly url: string
  latestId: number
  source: string
}

async function run({ origin, paths, editsPerSecond, seconds }: EditLoadOptions): Promise<EditLoadSample> {
  const free = await Promise.all(paths.map((path) => readPage(origin + path)))
  const offered = Math.round(editsPerSecond * seconds)
  const start = performance.now()
  const latencies: number[] = []
  const edits: Promise<void>[] = []
  for (let n = 0; n < offered; n++) {
    const due = start + (n * 1000) / editsPerSecond
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    const page = free.shift()
    if (page === undefined) continue
    const began = Math.min(due, performance.now())
    edits.push(
      edit(page, n).then(() => {
        latencies.push(performance.now() - began)
        free.push(page)
      }),
    )
  }
  await Promise.all(edits)
  return { offered, saved: edits.length, skipped: offered - edits.length, ...percentiles(latencies) }
}

async function readPage(url: string): Promise<Page> {
  const response = await fetch(url)
  const { latest, source } = (await response.json()) as { latest: { id: number }; source: string }
  return { url, latestId: latest.id, source }
}

async function edit(page: Page, n: number): Promise<void> {
  // Remove one line for each added one, so that pages keep their size.
  const source = [...page.source.split('\n').slice(1), `line ${n}`].join('\n')
  const response = await fetch(page.url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source, comment: '', token: '+\\', latest: { id: page.latestId } }),
  })
  const body = (await response.json()) as { latest: { id: number }; source: string }
  if (response.status !== 200) throw new Error(`an edit was answered with ${response.status}`)
  page.latestId = body.latest.id
  page.source = body.source
}
