/** `palimpsest export --format` writes pages as text, with real threads, and goes on where it ended. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { NO_PAGES, type TextExport, type TextProgress, writeToFile } from '../../src/cli/export/textExport.js'
import { type CommandResult, run, runHosted } from '../support/command.js'
import type { DumpPage } from '../support/dump.js'
import { RENDER_SETTINGS } from '../support/renderSettings.js'
import { openFolder, temporaryFolder } from '../support/store.js'
import { wiki } from '../support/tableWiki.js'

const page = (id: number, title: string, text: string, more: Partial<DumpPage> = {}): DumpPage => ({
  id,
  title,
  revisions: [{ id: id * 10, text }],
  ...more,
})

const MOON = page(
  1,
  'Moon',
  `{{Box}}The '''Moon''' is [[Earth]]'s {{Word|satellite}}.<ref>A note.</ref>\n\n== Size ==\n* small\n* {{{x|round}}}\n`,
)
const PAGES = [
  MOON,
  page(2, 'Luna', '#REDIRECT [[Moon]]', { redirect: 'Moon' }),
  page(3, 'Template:Word', "''{{{1}}}''", { namespace: 10 }),
  page(4, 'Template:Box', '{| class="navbox"\n| box\n|}\n', { namespace: 10 }),
  page(5, 'Sun & "stars"', 'One <b>&lt;bold&gt;</b> line.'),
  page(6, 'Talk:Moon', 'Talk.', { namespace: 1 }),
]

const exportFrom = (dataDir: string, format: string, ...more: string[]): CommandResult =>
  runHosted(['export', '--data-dir', dataDir, '--format', format, ...more])

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('palimpsest export --format', () => {
  test('text: articles with templates expanded, without redirects, boxes and notes', async () => {
    const { dataDir } = await wiki(PAGES)
    const { status, out, err } = exportFrom(dataDir, 'text')
    expect(status).toBe(0)
    expect(lines(out)).toEqual([
      {
        ...{ id: 1, revision: 10, timestamp: '2020-01-01T00:10:00Z', namespace: 0, title: 'Moon' },
        text: "The Moon is Earth's satellite.\n\nSize\n\n- small\n- round",
      },
      {
        ...{ id: 5, revision: 50, timestamp: '2020-01-01T00:50:00Z', namespace: 0, title: 'Sun & "stars"' },
        text: 'One <bold> line.',
      },
    ])
    expect(err).toMatch(/^2 pages written, HTML of 2 was made for it in [\d.]+ s\n$/m)
  })

  test('markdown, and HTML that the store has already', async () => {
    const { dataDir } = await wiki(PAGES)
    expect(runHosted(['render', '--data-dir', dataDir])).toMatchObject({ status: 0 })
    const markdown = exportFrom(dataDir, 'markdown')
    expect(markdown.err).toMatch(/^2 pages written in [\d.]+ s\n$/)
    expect(lines(markdown.out)[0]).toMatchObject({
      markdown: "The **Moon** is Earth's *satellite*.\n\n## Size\n\n- small\n- round",
    })
    const html = lines(exportFrom(dataDir, 'html').out)[0]!.html as string
    expect(html).toContain('<b')
    expect(html).toContain('Moon</b>')
    expect(html).not.toContain('<body')
  })

  test('other namespaces, and pages of a list in its order, of whatever namespace', async () => {
    const { dataDir } = await wiki(PAGES)
    expect(lines(exportFrom(dataDir, 'text', '--namespace', '1').out)).toMatchObject([{ text: 'Talk.' }])
    const list = join(temporaryFolder(), 'list.txt')
    writeFileSync(list, '\ufeffTalk:Moon\r\nNone\nMoon\n')
    const { status, out, err } = exportFrom(dataDir, 'text', '--titles', list)
    expect(status).toBe(1)
    expect(err).toContain('there is no page "None"')
    expect(lines(out).map(({ id }) => id)).toEqual([6, 1])
  })

  test('a page that cannot be rendered is named and left out; a wiki without pages gives an empty file', async () => {
    const { dataDir } = await wiki([
      page(1, 'Long', '{{#invoke:No}}\n'.repeat(3)),
      page(2, 'Short', 'Words.'),
    ])
    const failing = exportFrom(dataDir, 'text', '--render-timeout-ms', '1')
    expect(failing).toMatchObject({ status: 1 })
    expect(failing.err).toMatch(/no HTML of Long: /)
    expect(failing.err).toMatch(/0 pages written, 2 failed/)
    const { dataDir: empty } = await wiki([page(1, 'Talk:A', 'x', { namespace: 1 })])
    expect(exportFrom(empty, 'text')).toMatchObject({ status: 0, out: '' })
  })

  test.each(['0', '65', '1000', '1.5'])('refuses %s threads', (threads) => {
    const { status, err } = exportFrom('nowhere', 'text', '--threads', threads)
    expect({ status, err }).toMatchObject({
      status: 1,
      err: expect.stringContaining('from 1 to 64') as unknown,
    })
  })

  test('to a full disk, blames no page', async () => {
    const many = Array.from({ length: 40 }, (_, n) => page(n + 1, `Page ${n + 1}`, `Text ${n + 1}.`))
    const { dataDir } = await wiki(many)
    const disk = openSync('/dev/full', 'w')
    const args = ['export', '--data-dir', dataDir, '--format', 'text', '--threads', '2']
    const { status, stderr } = spawnSync('bin/palimpsest', args, { stdio: ['ignore', disk, 'pipe'] })
    closeSync(disk)
    expect(status).toBe(1)
    expect(String(stderr)).toContain('no space left on device')
    expect(String(stderr)).not.toContain('no HTML of')
  })

  test('to standard output that is closed early, ends without a trace', async () => {
    const { dataDir } = await wiki(PAGES)
    const command = run('export', '--data-dir', dataDir, '--format', 'text')
    command.child.stdout!.destroy()
    expect(await command.exit).not.toBe(null)
    expect(command.output.stderr).not.toMatch(/\n {4}at |no HTML of/)
  })
})

/** An export in this process that is stopped after so many pages. */
async function exportSome(
  dataDir: string,
  file: string,
  pages = Infinity,
  more: Partial<TextExport> = {},
): Promise<TextProgress> {
  const store = openFolder(dataDir)
  const stop = new AbortController()
  const progress: TextProgress = { counts: NO_PAGES, next: 0, before: 0 }
  const options: TextExport = {
    ...{ store, dataDir, renderSettings: RENDER_SETTINGS, format: 'text', threads: 1, timeoutMs: 20_000 },
    ...{ namespaces: new Set([0]), titles: undefined, signal: stop.signal, nowMs: () => Date.now() },
    ...{ onFailure: expect.unreachable, partBytes: 200, ...more },
  }
  let seen = 0
  try {
    await writeToFile(file, options, progress, () => {
      if (++seen === pages) stop.abort()
    })
  } finally {
    await store.close()
  }
  return progress
}

describe('an export that was broken off', () => {
  const many = Array.from({ length: 12 }, (_, n) => page(n + 1, `Page ${n + 1}`, `Text ${n + 1}.`))

  test.each(['whole.jsonl', 'whole.jsonl.gz'])(
    'goes on in %s, wherever it ended',
    { timeout: 60_000 },
    async (name) => {
      const { dataDir } = await wiki(many)
      const file = join(temporaryFolder(), name)
      for (const pages of [1, 4, 6]) {
        await expect(exportSome(dataDir, file, pages)).rejects.toThrow(/abort/)
        endWriter(`${file}.unfinished.json`)
      }
      expect(existsSync(file)).toBe(false)
      // A kill in the middle of a part leaves bytes that the mark does not count.
      const unfinished = readFileSync(`${file}.unfinished`)
      writeFileSync(`${file}.unfinished`, Buffer.concat([unfinished, Buffer.from('{"id":')]))
      const { counts, before } = await exportSome(dataDir, file)
      expect(before).toBeGreaterThan(0)
      expect(counts).toEqual({ pages: 12, made: 12, failed: 0 })
      const bytes = readFileSync(file)
      const written = lines((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
      expect(written.map(({ id }) => id)).toEqual(many.map(({ id }) => id))
      expect(existsSync(`${file}.unfinished`) || existsSync(`${file}.unfinished.json`)).toBe(false)
      await expect(exportSome(dataDir, file)).rejects.toThrow(/exists already/)
    },
  )

  test('goes on when a page of its list is gone', { timeout: 60_000 }, async () => {
    const { dataDir } = await wiki(many)
    const file = join(temporaryFolder(), 'listed.jsonl')
    const list = `${file}.txt`
    writeFileSync(list, 'Page 1\nGone\nPage 12\n')
    const titles = ['Page_1', 'Gone', 'Page_12'].map((dbkey) => ({ namespace: 0, dbkey }))
    await expect(exportSome(dataDir, file, 1, { titles })).rejects.toThrow(/abort/)
    endWriter(`${file}.unfinished.json`)
    const { status, err } = exportFrom(dataDir, 'text', file, '--titles', list)
    expect({ status, err }).toMatchObject({
      status: 1,
      err: expect.stringContaining('2 pages written') as unknown,
    })
    expect(lines(readFileSync(file, 'utf8')).map(({ id }) => id)).toEqual([1, 12])
  })

  test(
    'goes on for the same export alone, and never beside the one that writes',
    { timeout: 60_000 },
    async () => {
      const { dataDir } = await wiki(many)
      const file = join(temporaryFolder(), 'out.jsonl')
      await expect(exportSome(dataDir, file, 5)).rejects.toThrow()
      // This process still runs, so the mark is of a writer that does.
      await expect(exportSome(dataDir, file)).rejects.toThrow(
        /another export writes .*out\.jsonl \(process \d+\)/,
      )
      endWriter(`${file}.unfinished.json`)
      await expect(exportSome(dataDir, file, Infinity, { format: 'markdown' })).rejects.toThrow(
        /beginning of another export: give the same options and the same wiki/,
      )
      const mark = readFileSync(`${file}.unfinished.json`, 'utf8')
      const wrong = { bytes: 1e9, next: -1, counts: { pages: '1' }, writer: null, what: undefined }
      const edited = Object.entries(wrong).map(([name, value]) =>
        JSON.stringify({ ...(JSON.parse(mark) as object), [name]: value }),
      )
      const before = readFileSync(`${file}.unfinished`)
      for (const text of ['{', 'null', '[]', ...edited]) {
        writeFileSync(`${file}.unfinished.json`, text)
        await expect(exportSome(dataDir, file), text).rejects.toThrow(/do not fit together, or are damaged/)
      }
      expect(readFileSync(`${file}.unfinished`)).toEqual(before)
    },
  )
})

/** Makes the mark one of a process that has ended. */
function endWriter(path: string): void {
  const mark = JSON.parse(readFileSync(path, 'utf8')) as { writer: { started: string } }
  mark.writer.started = '1'
  writeFileSync(path, JSON.stringify(mark))
}
