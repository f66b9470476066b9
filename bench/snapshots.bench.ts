/** The import of a snapshot of rendered pages: processor time for its lines, and memory. See bench/README.md. */
import { createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { paxRecord, snapshotRow, type SnapshotPage, tarOf } from '../test/support/snapshots.js'
import { measureRun, type Usage } from './import/measuredRun.js'
import { readOptions } from './support/options.js'
import { randomNumbers } from './support/random.js'
import { PALIMPSEST } from './support/repository.js'
import { writeResult } from './support/results.js'
import { Sandbox } from './support/sandbox.js'
import { printTable } from './support/table.js'

const PAGES = 20_000
const PARAGRAPHS = 12
const AIM = 'Aim: HTML alone at 30 MB/s of unpacked lines or more, in processor time; own memory flat.'
const WORDS = Array.from({ length: 5000 }, (_, n) => (n * 7919 + 104_729).toString(36))

const { rounds = 3 } = readOptions()
const sandbox = new Sandbox()
try {
  await measure()
} finally {
  await sandbox.close()
}

interface Sample extends Usage {
  readonly step: string
  readonly round: number
  readonly megabytes: number
}

async function measure(): Promise<void> {
  const folder = sandbox.folder('snapshot')
  const whole = await writeSnapshot(join(folder, 'wiki.json.tar.gz'), PAGES)
  const part = await writeSnapshot(join(folder, 'part.json.tar.gz'), PAGES / 10)
  const dump = join(folder, 'dump.xml')
  await pipeline(dumpOf(PAGES), createWriteStream(dump))
  const samples: Sample[] = []
  for (let round = 1; round <= rounds; round++) {
    const store = sandbox.folder('store')
    const steps: [step: string, megabytes: number, dataDir: string, path: string][] = [
      ['a tenth: pages, HTML, search index', part, join(store, 'part'), join(folder, 'part.json.tar.gz')],
      ['pages, HTML, search index', whole, join(store, 'whole'), join(folder, 'wiki.json.tar.gz')],
      ['the same again', whole, join(store, 'whole'), join(folder, 'wiki.json.tar.gz')],
      ['HTML alone, beside a dump', whole, join(store, 'dump'), join(folder, 'wiki.json.tar.gz')],
    ]
    await run(['import', '--quiet', '--data-dir', join(store, 'dump'), dump])
    for (const [step, megabytes, dataDir, path] of steps)
      samples.push({
        step,
        round,
        megabytes,
        ...(await run(['import', '--quiet', '--data-dir', dataDir, path])),
      })
    console.log(
      `round ${round}: the store has ${(statSync(join(store, 'dump/store/data.mdb')).size / 1e6).toFixed(0)} MB`,
    )
    sandbox.remove(store)
  }
  const summary = samples.map(
    ({ step, round, megabytes, userSeconds, systemSeconds, wallSeconds, memory }) => ({
      step,
      round: String(round),
      'MB/s of processor time': (megabytes / (userSeconds + systemSeconds)).toFixed(1),
      'MB/s': (megabytes / wallSeconds).toFixed(1),
      'own memory, MB': ((memory?.ownBytes ?? 0) / 1e6).toFixed(0),
    }),
  )
  const header = Object.keys(summary[0]!)
  printTable(
    header,
    summary.map((row) => Object.values(row)),
  )
  console.log(`\n${AIM}`)
  writeResult('snapshots', { setup: { pages: PAGES, megabytes: whole, rounds }, samples, summary })
}

function run(args: readonly string[]): Promise<Usage> {
  return measureRun(sandbox, PALIMPSEST, args, { keepOutput: true })
}

/** Writes a snapshot in a tar archive, and returns the megabytes of its lines. */
async function writeSnapshot(path: string, pages: number): Promise<number> {
  let bytes = 0
  const lines = function* (): Generator<Buffer> {
    for (const page of pagesOf(pages)) {
      const line = Buffer.from(`${snapshotRow(page)}\n`)
      bytes += line.length
      yield line
    }
  }
  for (const _line of lines());
  const size = bytes
  const archive = function* (): Generator<Buffer> {
    yield tarOf([{ name: 'x', contents: paxRecord('size', String(size)), type: 'x' }], { isEnded: false })
    // The header alone: the contents follow as they are made.
    yield tarOf([{ name: 'wiki_0.ndjson', contents: '' }], { isEnded: false })
    yield* lines()
    yield Buffer.alloc(((512 - (size % 512)) % 512) + 1024)
  }
  await pipeline(archive, createGzip({ level: 1 }), createWriteStream(path))
  return size / 1e6
}

function* pagesOf(count: number): Generator<SnapshotPage> {
  const random = randomNumbers(1)
  for (let id = 1; id <= count; id++) {
    const paragraphs = Array.from({ length: PARAGRAPHS }, () => sentence(random))
    const text = paragraphs.join('\n\n')
    yield {
      id,
      title: `Page ${id}`,
      revision: id,
      text,
      body: bodyOf(paragraphs),
      templates: ['Template:Infobox', 'Template:Cite'],
    }
  }
}

function sentence(random: () => number): string {
  return Array.from({ length: 50 }, () => WORDS[Math.floor(random() * random() * WORDS.length)]!).join(' ')
}

/** Markup takes most of rendered pages: links, references and tables. */
function bodyOf(paragraphs: readonly string[]): string {
  const cells = paragraphs.map(
    (text, n) => `<tr><th scope="row" style="text-align:left">${n}</th><td>${text.slice(0, 40)}</td></tr>`,
  )
  const box = `<table class="infobox" about="#mwt1" typeof="mw:Transclusion" data-mw='{"parts":[{"template":{"target":{"wt":"Infobox","href":"./Template:Infobox"},"params":{"1":{"wt":"a"}},"i":0}}]}'><tbody>${cells.join('')}</tbody></table>`
  const texts = paragraphs.map((text, n) => {
    const linked = text.replace(
      /\b(\w{4})\b/g,
      `<a rel="mw:WikiLink" href="./$1" title="$1" id="mw${n}">$1</a>`,
    )
    return `<p id="mwA${n}">${linked}<sup about="#mwt${n}" class="mw-ref reference" id="cite_ref-${n}" rel="dc:references" typeof="mw:Extension/ref"><a href="./Page#cite_note-${n}" style="counter-reset: mw-Ref ${n};"><span class="mw-reflink-text">[${n}]</span></a></sup></p>`
  })
  return box + texts.join('')
}

function* dumpOf(count: number): Generator<string> {
  yield '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo><dbname>testwiki</dbname></siteinfo>'
  for (const { id, title, text } of pagesOf(count))
    yield `<page><title>${title}</title><ns>0</ns><id>${id}</id><revision><id>${id}</id><timestamp>2026-03-02T10:01:00Z</timestamp><contributor><username>Ann</username><id>1</id></contributor><model>wikitext</model><text>${text}</text></revision></page>\n`
  yield '</mediawiki>'
}
