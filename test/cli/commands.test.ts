/** The commands as people run them: what they print, and how they end. */
// @module-tag slow
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FORMAT_VERSION } from '../../src/storage/tables/meta.js'
import { COMMAND, type CommandResult, runHosted } from '../support/command.js'
import { dumpXml } from '../support/dump.js'
import { openFolder, temporaryFolder } from '../support/store.js'

const run = (...parts: string[]): CommandResult => runHosted(parts)

/** A folder with a wiki of one page with two revisions. */
function wiki(): { folder: string; dump: string } {
  const folder = temporaryFolder()
  const dump = join(folder, 'moon.xml')
  const revisions = [
    { id: 1, text: 'a' },
    { id: 2, text: 'a b', editor: { id: 2, name: 'TidyBot' } },
  ]
  writeFileSync(dump, dumpXml([{ id: 1, title: 'Moon', revisions }]))
  return { folder, dump }
}

/** Takes a row out of a wiki, which `verify` misses. */
async function damage(folder: string): Promise<void> {
  const store = openFolder(folder)
  store.transact(() => store.tables.rev.removeSync(1))
  await store.close()
}

const FLAGS = '--no-allocation-site-pretenuring --max-semi-space-size=2'

describe('the command', () => {
  test('starts by its first line, with what that sets for the memory', () => {
    const seen = 'data:text/javascript,console.error(process.env.MALLOC_MMAP_THRESHOLD_,...process.execArgv)'
    const { status, stdout, stderr } = spawnSync(COMMAND, ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: `--import=${seen}` },
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: `1048576 ${FLAGS}\n` })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+/)
  })
})

describe('a command whose output nobody reads any more', () => {
  /** Runs it with the reading end of its standard output closed. */
  async function runUnread(parts: readonly string[], input?: string) {
    const stdin = input === undefined ? 'ignore' : openSync(input, 'r')
    const child = spawn(process.execPath, [COMMAND, ...parts], { stdio: [stdin, 'pipe', 'pipe'] })
    child.stdout!.destroy()
    let err = ''
    child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()))
    const [status] = (await once(child, 'close')) as [number | null]
    if (typeof stdin === 'number') closeSync(stdin)
    return { status, err }
  }

  test('ends quietly with the status of what it has done', async () => {
    const { folder, dump } = wiki()
    const quiet = { status: 0, err: '' }
    expect(await runUnread(['import', '--data-dir', folder, dump])).toEqual(quiet)
    expect(run('stats', '--data-dir', folder, '--json').out).toContain('"revisions":2')
    expect(await runUnread(['interwiki', 'list', '--data-dir', folder])).toEqual(quiet)
    expect(await runUnread(['diff', '--json', dump, dump])).toEqual(quiet)
    expect(await runUnread(['--help'])).toEqual(quiet)
    await damage(folder)
    expect(await runUnread(['verify', '--data-dir', folder])).toEqual({ ...quiet, status: 1 })
  })

  test('stops where it would print a line for each line it reads', async () => {
    const pairs = join(temporaryFolder(), 'pairs.jsonl')
    writeFileSync(pairs, '{"from":"a","to":"b"}\n'.repeat(1000))
    expect(await runUnread(['diff', '--jsonl'], pairs)).toEqual({ status: 0, err: '' })
  })
})

describe('palimpsest import', () => {
  test('prints what it read and added', () => {
    const { folder, dump } = wiki()
    const { status, out, err } = run('import', '--data-dir', folder, dump)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(
      /^moon\.xml: 1 pages and 2 revisions read, 1 pages and 2 revisions added in \d+\.\d s/,
    )
    expect(run('import', '--data-dir', folder, dump).out).toContain('0 pages and 0 revisions added')
  })

  test('reads standard input', () => {
    const { folder, dump } = wiki()
    const input = `${process.execPath} ${COMMAND} import --data-dir ${folder} - < ${dump}`
    const { status, stdout } = spawnSync('sh', ['-c', input], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^standard input: 1 pages and 2 revisions read/)
  })

  test('says in one line why a file cannot be imported, and ends with 1', () => {
    const folder = temporaryFolder()
    const { status, out, err } = run('import', '--data-dir', folder, join(folder, 'missing.xml'))
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/^palimpsest: missing\.xml: there is no such file; 0 pages .*\n$/)
  })

  test('names a bad setting', () => {
    const { status, err } = run('import', '--data-dir', temporaryFolder(), '--batch-bytes', 'many', 'x.xml')
    expect(status).toBe(1)
    expect(err).toContain('batchBytes: --batch-bytes is "many", but it must be a whole number from 1 to')
  })
})

describe('palimpsest stats', () => {
  test('prints figures as a table and as JSON', () => {
    const { folder, dump } = wiki()
    run('import', '--data-dir', folder, dump)
    expect(run('stats', '--data-dir', folder).out).toMatch(
      /^wiki +Test wiki\n(.*\n)*pages +1\nrevisions +2\n/,
    )
    const { status, out } = run('stats', '--data-dir', folder, '--json')
    expect(status).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      wikiId: 'testwiki',
      pages: 1,
      revisions: 2,
      redirects: 0,
      editors: 2,
      filePages: 0,
      logEntries: 3,
      formatVersion: FORMAT_VERSION,
      unfinishedImport: null,
    })
  })

  test('says what to do where there is no wiki', () => {
    const folder = temporaryFolder()
    expect(run('stats', '--data-dir', folder)).toEqual({
      status: 1,
      out: '',
      err: `palimpsest: there is no wiki in ${folder}: import one with "palimpsest import --data-dir ${folder} DUMP"\n`,
    })
  })
})

describe('palimpsest verify', () => {
  test('finds nothing in a sound store and prints its digest', () => {
    const { folder, dump } = wiki()
    run('import', '--data-dir', folder, dump)
    const { status, out } = run('verify', '--data-dir', folder, '--digest')
    expect(status).toBe(0)
    expect(out).toMatch(/^1 pages, 2 revisions: no problems\ndigest [0-9a-f]{64}\n$/)
  })

  test('lists problems and ends with 1', async () => {
    const { folder, dump } = wiki()
    run('import', '--data-dir', folder, dump)
    await damage(folder)
    const { status, out } = run('verify', '--data-dir', folder)
    expect(status).toBe(1)
    expect(out).toMatch(/page 1 \(0:Moon\): revision 1 cannot be found by its id\n/)
    expect(out).toMatch(/1 pages, 2 revisions: \d+ problems\n$/)
  })
})

describe('palimpsest site', () => {
  test('shows what the dump said and what was set', () => {
    const { folder, dump } = wiki()
    run('import', '--data-dir', folder, dump)
    expect(run('site', 'set', '--data-dir', folder, 'bots', 'TidyBot|Ann | TidyBot').out).toBe(
      'bots            Ann|TidyBot\n',
    )
    run('site', 'set', '--data-dir', folder, 'licenseTitle', 'CC0')
    const { out } = run('site', '--data-dir', folder)
    expect(out).toMatch(/^name +Test wiki\nlanguage +en\nwikiId +testwiki\n/)
    expect(out).toMatch(/licenseTitle +CC0\nbots +Ann\|TidyBot\naliases\nsubpages\n/)
  })

  test('makes no entry for a value that is there already', () => {
    const { folder } = wiki()
    for (let n = 0; n < 3; n++) run('site', 'set', '--data-dir', folder, 'name', 'Moon wiki')
    const { logEntries } = JSON.parse(run('stats', '--data-dir', folder, '--json').out) as {
      logEntries: number
    }
    expect(logEntries).toBe(1)
  })

  test('lists the keys when one does not exist', () => {
    const { status, err } = run('site', 'set', '--data-dir', temporaryFolder(), 'colour', 'red')
    expect(status).toBe(1)
    expect(err).toMatch(/^palimpsest: there is no key "colour"\. Keys: name, language, /)
  })
})

test('palimpsest --help lists the commands, and --version the version', () => {
  const { out } = run('--help')
  for (const command of ['serve', 'import', 'site', 'user', 'token', 'page', 'revision', 'stats', 'verify'])
    expect(out).toContain(`\n  ${command} `)
  expect(run('--version').out).toMatch(/^\d+\.\d+\.\d+\n$/)
})
