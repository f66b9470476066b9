/** Batches of states of a followed wiki: processor time of `submit`. See bench/README.md. */
import type { PresentPage, UpstreamPage, UpstreamPlace, UpstreamRevision } from '../src/domain/upstream.js'
import { Applier } from '../src/storage/apply/applier.js'
import { Store } from '../src/storage/store.js'
import { makeUpstreamEntry } from '../src/storage/upstream/place.js'
import { readOptions } from './support/options.js'
import { randomNumbers } from './support/random.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { summarise } from './support/statistics.js'
import { formatSummary, printTable } from './support/table.js'

const PAGES = 2000
const BATCH = 200
const TEXT_BYTES = 4000
const WORDS = 20_000
/** A page whose history is long. */
const LONG_PAGE = PAGES + 1
const LONG_HISTORY = 20_000
const AIM = 'Aim: 0.7 ms a revision while the index waits, 2 ms with it.'

interface Batch {
  readonly name: string
  readonly indexLater: boolean
  readonly states: () => UpstreamPage[]
}

const random = randomNumbers(7)
const texts = new Map<number, string>()
let revisionId = 0
let place: UpstreamPlace | undefined

const batches: readonly Batch[] = [
  { name: 'edits of 200 pages, index waits', indexLater: true, states: () => edits(BATCH, 1) },
  { name: 'edits of 200 pages, with index', indexLater: false, states: () => edits(BATCH, 1) },
  {
    name: '10 edits of each of 20 pages, with index',
    indexLater: false,
    states: () => edits(BATCH / 10, 10),
  },
  { name: 'hidden comments on 200 pages', indexLater: false, states: hidings },
  { name: 'moves of 200 pages, with index', indexLater: false, states: moves },
  { name: `one hidden comment among ${LONG_HISTORY}`, indexLater: false, states: longHiding },
]

async function measure(folder: string, rounds: number): Promise<void> {
  const store = Store.open(folder, { create: true })
  const [later, atOnce] = [new Applier(store, { indexLater: true }), new Applier(store)]
  fill(atOnce)
  const samples: { name: string; round: number; millis: number; perState: number }[] = []
  for (let round = 0; round < rounds; round++) {
    for (const { name, indexLater, states } of batches) {
      const pages = states()
      const millis = processorTime(() => submit(indexLater ? later : atOnce, pages))
      samples.push({ name, round, millis, perState: millis / countRevisions(pages) })
    }
  }
  await store.close()
  const summary = batches.map(({ name }) => {
    const own = samples.filter((sample) => sample.name === name)
    return {
      name,
      perState: summarise(own.map(({ perState }) => perState)),
      millis: summarise(own.map(({ millis }) => millis)),
    }
  })
  printTable(
    ['batch', 'ms a revision', 'ms a batch'],
    summary.map(({ name, perState, millis }) => [name, formatSummary(perState, 2), formatSummary(millis, 0)]),
  )
  console.log(AIM)
  writeResult('follow', { setup: { rounds, PAGES, BATCH, TEXT_BYTES, LONG_HISTORY }, samples, summary })
}

/** Of all threads of this process: nothing else runs in it. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const countRevisions = (pages: readonly UpstreamPage[]): number =>
  pages.reduce((sum, page) => sum + ('gone' in page ? 1 : page.add.length + page.change.length), 0)

function submit(applier: Applier, pages: readonly UpstreamPage[]): void {
  const to = { url: 'https://wiki.example/api.php', wikiId: 'bench', revisionId: ++revisionId }
  const verdict = applier.submit(
    makeUpstreamEntry(place, to, revisionId, { pages, files: [], protections: [], renames: [] }),
  )
  if (verdict.result !== 'followed' || !verdict.isEffective) throw new Error(JSON.stringify(verdict))
  place = to
}

/** Pages with five revisions each, and one with many. */
function fill(applier: Applier): void {
  for (let id = 1; id <= PAGES; id += BATCH / 4) {
    const ids = Array.from({ length: BATCH / 4 }, (_, n) => id + n)
    for (const pageId of ids) texts.set(pageId, newText())
    submit(
      applier,
      ids.map((pageId) => state(pageId, editsOf(pageId, 5))),
    )
  }
  texts.set(LONG_PAGE, 'a short text')
  for (let done = 0; done < LONG_HISTORY; done += 1000)
    submit(applier, [state(LONG_PAGE, editsOf(LONG_PAGE, 1000))])
}

const latest = new Map<number, number>()
const titles = new Map<number, string>()

function state(id: number, add: readonly UpstreamRevision[], parts: Partial<PresentPage> = {}): PresentPage {
  const latestId = add.at(-1)?.id ?? latest.get(id)!
  latest.set(id, latestId)
  const dbkey = titles.get(id) ?? `Page_${id}`
  return {
    id,
    namespace: 0,
    dbkey,
    latestId,
    redirectTarget: null,
    add,
    take: [],
    remove: [],
    change: [],
    ...parts,
  }
}

function editsOf(pageId: number, count: number): UpstreamRevision[] {
  return Array.from({ length: count }, () => {
    const text = edited(texts.get(pageId)!)
    texts.set(pageId, text)
    const id = ++revisionId
    const editor = { id: 1 + Math.floor(random() * 500), name: `User ${id % 500}` }
    return {
      id,
      parentId: undefined,
      timestamp: 1_500_000_000 + id,
      editor: { ...editor, name: `User ${editor.id}` },
      comment: `comment ${id}`,
      minor: false,
      contentModel: 'wikitext',
      text,
      statedSizeBytes: undefined,
      statedSha1: undefined,
    }
  })
}

const somePages = (count: number): number[] => {
  const first = Math.floor(random() * (PAGES - count))
  return Array.from({ length: count }, (_, n) => 1 + first + n)
}

const edits = (pages: number, each: number): UpstreamPage[] =>
  somePages(pages).map((id) => state(id, editsOf(id, each)))

let hidden = 0
function hidings(): UpstreamPage[] {
  return somePages(BATCH).map((id) => {
    const editor = { id: 1, name: `Hidden ${++hidden}` }
    const change = [{ id: latest.get(id)!, editor, comment: undefined, isTextShown: true }]
    return state(id, [], { change })
  })
}

function moves(): UpstreamPage[] {
  return somePages(BATCH).map((id) => {
    titles.set(id, `Moved_${id}_${++hidden}`)
    return state(id, editsOf(id, 1))
  })
}

function longHiding(): UpstreamPage[] {
  const editor = { id: 1, name: `Hidden ${++hidden}` }
  return [
    state(LONG_PAGE, [], {
      change: [{ id: latest.get(LONG_PAGE)! - 500, editor, comment: undefined, isTextShown: true }],
    }),
  ]
}

/** Frequent and rare words, as in a language. */
const word = (): string => `w${Math.floor(WORDS ** random())}`

function newText(): string {
  const lines: string[] = []
  for (let length = 0; length < TEXT_BYTES; length += lines.at(-1)!.length + 1)
    lines.push(Array.from({ length: 12 }, word).join(' '))
  return lines.join('\n')
}

/** The text with another line in its middle. */
function edited(text: string): string {
  const lines = text.split('\n')
  lines[Math.floor(random() * lines.length)] = Array.from({ length: 12 }, word).join(' ')
  return lines.join('\n')
}

const { rounds = 7 } = readOptions()
const sandbox = new Sandbox()
try {
  await measure(sandbox.folder('follow-'), rounds)
} finally {
  await sandbox.close()
}
