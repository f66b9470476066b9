/** `palimpsest export` writes dumps that give the same wiki again, and nothing that readers may not see. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestStore } from '../../src/storage/verify/digest.js'
import { create } from '../conformance/editing.js'
import { startServer } from '../conformance/garden.js'
import { FIXTURE } from '../support/clusterCommands.js'
import { COMMAND, type CommandResult, run, runHosted } from '../support/command.js'
import type { DumpPage } from '../support/dump.js'
import { describeShared } from '../support/shared.js'
import { importInto, openFolder, problems } from '../support/store.js'
import { wiki } from '../support/tableWiki.js'
import { temporaryFolder } from '../support/store.js'

const exportFrom = (dataDir: string, ...parts: string[]): CommandResult =>
  runHosted(['export', '--data-dir', dataDir, ...parts])

/** The state of a wiki, without the log, which names the dumps. */
async function stateOf(dataDir: string): Promise<string> {
  const store = openFolder(dataDir)
  expect(problems(store)).toEqual([])
  const digest = digestStore(store, { withLog: false })
  await store.close()
  return digest
}

async function imported(path: string): Promise<string> {
  const dataDir = temporaryFolder()
  const { error, results } = await importInto(dataDir, [path])
  expect(error).toBeUndefined()
  expect(results.map(({ counts }) => counts.warnings)).toEqual([0])
  return dataDir
}

/** Imports a dump, exports it, imports that: both wikis are the same. */
async function expectSame(path: string, name = 'out.xml'): Promise<void> {
  const dataDir = temporaryFolder()
  expect((await importInto(dataDir, [path])).error).toBeUndefined()
  const file = join(temporaryFolder(), name)
  expect(exportFrom(dataDir, file)).toMatchObject({ status: 0, out: '' })
  expect(await stateOf(await imported(file))).toBe(await stateOf(dataDir))
}

const page = (id: number, title: string, text: string, more: Partial<DumpPage> = {}): DumpPage => ({
  id,
  title,
  revisions: [{ id, text }],
  ...more,
})

describe('what is exported can be imported', () => {
  test('the whole of a wiki with its history', () => expectSame(FIXTURE))

  test.each(['wiki.xml.gz', 'wiki.xml.bz2', 'wiki.xml.zst', 'wiki.xml.xz'])(
    'packed, as %s',
    { tags: ['slow'] },
    (name) => expectSame(FIXTURE, name),
  )

  test('characters that XML knows in another meaning', async () => {
    const { dataDir } = await wiki([
      page(1, 'A & "B" C', 'a\n&amp; & < > " \' ]]> \u2028 \u0085 😀\n\n'),
      page(2, 'Empty', ''),
      page(3, 'Short', '#REDIRECT [[A & "B" C#x]]', { redirect: 'A & "B" C' }),
    ])
    const file = join(temporaryFolder(), 'out.xml')
    expect(exportFrom(dataDir, file)).toMatchObject({ status: 0 })
    expect(await stateOf(await imported(file))).toBe(await stateOf(dataDir))
  })

  test('a history of more revisions than are read at once', async () => {
    const revisions = Array.from({ length: 100 }, (_, n) => ({
      ...{ id: n + 1, parentId: n, comment: n % 3 === 0 ? '' : `edit ${n} & more`, minor: n % 2 === 0 },
      text: `first\n${'line\n'.repeat(n)}last ${n}`,
      editor: n % 4 === 0 ? '192.0.2.7' : { id: 2 + (n % 5), name: `User ${n % 5}` },
    }))
    const { dataDir } = await wiki([{ id: 1, title: 'Long', revisions }])
    const file = join(temporaryFolder(), 'out.xml')
    expect(exportFrom(dataDir, file).err).toMatch(/^1 pages with 100 revisions written in [\d.]+ s\n$/)
    expect(await stateOf(await imported(file))).toBe(await stateOf(dataDir))
  })

  describeShared('a wiki of Wikimedia', 'corpus/aawiki-20260101-pages-meta-history.xml.bz2', (path) => {
    test('with hidden parts', { tags: ['slow'], timeout: 60_000 }, () => expectSame(path))
  })
})

describe('the pages to export', () => {
  const pages = [
    {
      id: 1,
      title: 'Moon',
      revisions: [
        { id: 1, text: 'old' },
        { id: 2, text: 'new' },
      ],
    },
    page(3, 'Talk:Moon', 'talk', { namespace: 1 }),
    page(4, 'Sun', 'sun'),
  ]
  const texts = (xml: string): string[] =>
    [...xml.matchAll(/xml:space="preserve">([^<]*)</g)].map(([, text]) => text!)

  test.each([
    ['all revisions', [], ['old', 'new', 'talk', 'sun']],
    ['the latest ones', ['--current'], ['new', 'talk', 'sun']],
    ['some namespaces', ['--namespace', '1,14'], ['talk']],
  ])('%s', async (_title, flags, expected) => {
    const { dataDir } = await wiki(pages)
    const { status, out } = exportFrom(dataDir, ...flags)
    expect(status).toBe(0)
    expect(texts(out)).toEqual(expected)
    expect(out).toMatch(/^<mediawiki .*version="0.11" xml:lang="en">\n[^]*<\/mediawiki>\n$/)
  })

  test('those of a list, once each; a missing one is named', async () => {
    const { dataDir } = await wiki(pages)
    const list = join(temporaryFolder(), 'list.txt')
    writeFileSync(list, 'sun\r\n\nNowhere\ntalk:moon\n[x]\nSun\n')
    const { status, out, err } = exportFrom(dataDir, '--titles', list)
    expect(texts(out)).toEqual(['sun', 'talk'])
    expect(err).toContain('there is no page "Nowhere"\nthere is no page "[x]"\n2 pages with 2 revisions')
    expect(status).toBe(1)
    expect(runHosted(['export', '--data-dir', dataDir, '--titles', '-'], 'Sun').out).toContain('>sun<')
  })
})

test('names without an account are names, and addresses are addresses', async () => {
  const editors = ['192.0.2.7', '2001:DB8::7', { id: 0, name: 'Old name' }, { id: 2, name: 'Ben' }]
  const revisions = editors.map((editor, n) => ({ id: n + 1, text: `text ${n}`, editor }))
  const { dataDir } = await wiki([{ id: 1, title: 'Moon', revisions }])
  const { out } = exportFrom(dataDir)
  expect(out.match(/<(?:ip|username)>.*/g)).toEqual([
    '<ip>192.0.2.7</ip>',
    '<ip>2001:DB8::7</ip>',
    '<username>Old name</username>',
    '<username>Ben</username>',
  ])
})

describe('what readers may not see', () => {
  test('is not in the dump', async () => {
    const { dataDir } = await wiki([
      {
        ...{ id: 1, title: 'Moon' },
        revisions: [
          { id: 1, text: 'secret text', comment: 'secret comment', editor: { id: 7, name: 'Secret Name' } },
          { id: 2, text: 'open text' },
        ],
      },
      page(3, 'Erased', 'erased text'),
    ])
    expect(
      runHosted(['revision', 'hide', '--data-dir', dataDir, '1', '--text', '--comment', '--user']).status,
    ).toBe(0)
    expect(runHosted(['erase', '--data-dir', dataDir, '--page', 'Erased', '--yes']).status).toBe(0)
    const { out } = exportFrom(dataDir)
    expect(out).not.toMatch(/secret|erased/i)
    expect(out).toContain('<contributor deleted="deleted" />\n      <comment deleted="deleted" />')
    expect(out).toContain('<text bytes="11" deleted="deleted" />')
    const file = join(temporaryFolder(), 'out.xml')
    writeFileSync(file, out)
    await imported(file)
  })
})

describe('faults', () => {
  test('a file that exists stays as it is', async () => {
    const { dataDir } = await wiki()
    const folder = temporaryFolder()
    const file = join(folder, 'out.xml')
    writeFileSync(file, 'mine')
    expect(exportFrom(dataDir, file)).toMatchObject({
      status: 1,
      err: expect.stringContaining('exists already') as string,
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(readdirSync(folder)).toEqual(['out.xml'])
  })

  test('a folder that does not exist is named', async () => {
    const { dataDir } = await wiki()
    const { status, err } = exportFrom(dataDir, join(temporaryFolder(), 'no', 'out.xml'))
    expect(status).toBe(1)
    expect(err).toMatch(/no\/out\.xml/)
  })

  test('wrong namespaces', async () => {
    const { dataDir } = await wiki()
    expect(exportFrom(dataDir, '--namespace', 'Talk').err).toContain('It must be a list of numbers.')
  })

  test('a program that stops reading ends the command', async () => {
    const { dataDir } = await wiki([page(1, 'Long', 'text\n'.repeat(400_000))])
    const line = `"${process.execPath}" "${COMMAND}" export --data-dir "${dataDir}" --quiet | head -c 100`
    expect(execFileSync('sh', ['-c', line]).length).toBe(100)
  })

  test('an interrupted export leaves no file', { tags: ['slow'] }, async () => {
    const revisions = Array.from({ length: 3000 }, (_, n) => ({
      id: n + 1,
      text: `${'x y\n'.repeat(5000)}${n}`,
    }))
    const { dataDir } = await wiki([{ id: 1, title: 'Long', revisions }])
    const file = join(temporaryFolder(), 'out.xml.gz')
    const running = run('export', '--data-dir', dataDir, file)
    await expect.poll(() => existsSync(`${file}.unfinished`)).toBe(true)
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(1)
    expect(running.output.stderr).toContain('interrupted; nothing was kept')
    expect(existsSync(file) || existsSync(`${file}.unfinished`)).toBe(false)
  })
})

test('goes on beside a server that saves edits', async () => {
  const dataDir = temporaryFolder()
  await importInto(dataDir, [FIXTURE])
  const server = await startServer(dataDir, { anonymousEdits: true })
  const { status, out } = exportFrom(dataDir, '--current')
  expect(status).toBe(0)
  const saved = await create(server, 'New page', 'a new page')
  expect(saved.status).toBe(201)
  expect(out).not.toContain('a new page')
  expect(exportFrom(dataDir, '--current').out).toContain('>a new page<')
})
