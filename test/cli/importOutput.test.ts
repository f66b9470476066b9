/** The output of `palimpsest import` on a pseudo-terminal, into a pipe and into a report, and its exit status. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dump, page, revision, SITEINFO } from '../dump/dumpText.js'
import { COMMAND, type CommandResult, runHosted } from '../support/command.js'
import { Screen } from '../support/screen.js'
import { openFolder, source, temporaryFolder } from '../support/store.js'

/** Of util-linux: runs a command on a pseudo-terminal. Others of this name take other options. */
const hasScript =
  process.platform === 'linux' &&
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')

const noTime = (id: number): string => `<revision><id>${id}</id><text>x</text></revision>`

/** 300 pages, of which every tenth has a revision that is left out. */
const MANY = dump(
  Array.from({ length: 300 }, (_, n) =>
    page(`Page ${n}`, n + 1, revision(2 * n + 1) + (n % 10 === 0 ? `\n${noTime(2 * n + 2)}` : '')),
  ).join(''),
)

function folderWith(dumps: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [name, xml] of Object.entries(dumps)) writeFileSync(join(folder, name), xml)
  return folder
}

const NO_LICENCE =
  'The licence of the texts is unknown: name it with "palimpsest site set licenseUrl URL" and "licenseTitle TITLE".'

const importing = (folder: string, ...args: string[]): CommandResult =>
  runHosted(['import', '--data-dir', join(folder, 'data'), ...args])

describe.skipIf(!hasScript)(
  `on a pseudo-terminal${hasScript ? '' : ' (skipped: no script of util-linux)'}`,
  () => {
    test.each([40, 80, 110, 200])('of %i columns no line is lost and no bar is too wide', (columns) => {
      const folder = folderWith({ 'many.xml': MANY })
      const line = `stty cols ${columns}; ${COMMAND} import --data-dir ${folder}/data ${folder}/many.xml`
      const { stdout, status } = spawnSync('script', ['-qec', line, '/dev/null'], {
        encoding: 'utf8',
        input: '',
      })
      const screen = new Screen(columns)
      screen.write(stdout)
      const lines = screen.text.trimEnd().split('\n')
      const named = [0, 10, 20, 30, 40].map(
        (n) =>
          expect.stringMatching(
            `^many.xml: line \\d+, page "Page ${n}": revision ${2 * n + 2} is left out: it has no <timestamp>$`,
          ) as string,
      )
      expect(lines).toEqual([
        ...named,
        'many.xml: … and 25 more of this kind: revisions whose time is missing, given twice or not valid; --report FILE lists all',
        expect.stringContaining(
          'many.xml: 300 pages and 330 revisions read, 300 pages and 300 revisions added, 30 revisions left out',
        ),
        '  left out: 30 revisions whose time is missing, given twice or not valid',
        expect.stringMatching(/^300 pages indexed for search, [0-9.]+ s after the last was read$/),
        NO_LICENCE,
      ])
      expect(status).toBe(1)
      const bars = [...stdout.matchAll(/\x1b\[1G([^\x1b\r\n]*[█░][^\x1b\r\n]*)\x1b\[0K/g)].map(
        ([, bar]) => bar!,
      )
      expect(bars.length).toBeGreaterThan(0)
      expect(Math.max(...bars.map((bar) => bar.length))).toBeLessThan(columns)
    })
  },
)

describe('the summary', () => {
  test('counts what several dumps brought and lack, one by one and together', () => {
    const folder = folderWith({
      'one.xml': dump(page('A', 1, revision(1)) + page('B', 2, '')),
      'two.xml': dump(page('C', 3, revision(3) + noTime(4)) + page('D', 5, '')),
    })
    const { status, out } = importing(folder, join(folder, 'one.xml'), join(folder, 'two.xml'))
    expect(status).toBe(1)
    expect(out.replace(/ in [0-9.]+ s( \([0-9.]+ MB\/s\))?/g, '').split('\n')).toEqual([
      'one.xml: 2 pages and 1 revisions read, 1 pages and 1 revisions added, 1 pages left out, 1 warnings',
      '  left out: 1 pages without a revision that can be read',
      'two.xml: 2 pages and 2 revisions read, 1 pages and 1 revisions added, 1 pages left out, 1 revisions left out, 2 warnings',
      '  left out: 1 revisions whose time is missing, given twice or not valid',
      '  left out: 1 pages without a revision that can be read',
      'all 2 dumps: 4 pages and 3 revisions read, 2 pages and 2 revisions added, 2 pages left out, 1 revisions left out, 3 warnings',
      '  left out: 2 pages without a revision that can be read',
      '  left out: 1 revisions whose time is missing, given twice or not valid',
      expect.stringMatching(/^2 pages indexed for search, [0-9.]+ s after the last was read$/),
      NO_LICENCE,
      '',
    ])
  })

  test('of the dumps before a torn one is printed, with the error of that one', () => {
    const folder = folderWith({
      'one.xml': dump(page('A', 1, revision(1))),
      'torn.xml': dump(page('B', 2, revision(2)) + page('C', 3, noTime(3)) + page('D', 4, revision(4))).split(
        '<id>4',
      )[0]!,
    })
    const { status, out, err } = importing(folder, join(folder, 'one.xml'), join(folder, 'torn.xml'))
    expect(status).toBe(1)
    expect(out).toMatch(/^one\.xml: 1 pages and 1 revisions read, .*\n2 pages indexed for search, .*\n$/)
    expect(err).toMatch(
      /torn\.xml: line \d+, page "C": the page is left out: none of its revisions can be read\n/,
    )
    expect(err).toMatch(
      /palimpsest: torn\.xml: the XML ends early: .* \(line \d+, byte \d+ of the XML, page "D"\); 2 pages/,
    )
    expect(source(openFolder(join(folder, 'data')), 'B')).toBe('some text')
  })

  test('names the licence of a wiki of Wikimedia, which answers then have', () => {
    const siteinfo = SITEINFO.replace('test.example.org', 'gd.wikipedia.org')
    const folder = folderWith({
      'gd.xml': dump(page('A', 1, revision(1)), { siteinfo }).replace('testwiki', 'gdwiki'),
    })
    const { out } = importing(folder, join(folder, 'gd.xml'))
    const url = 'https://creativecommons.org/licenses/by-sa/4.0/'
    expect(out).toContain(`The licence of the texts: Creative Commons Attribution-Share Alike 4.0 ${url}\n`)
    expect(openFolder(join(folder, 'data')).site().license.url).toBe(url)
  })

  test('of a sound dump ends with status 0', () => {
    const folder = folderWith({ 'one.xml': dump(page('A', 1, revision(1))) })
    expect(importing(folder, join(folder, 'one.xml'))).toMatchObject({ status: 0, err: '' })
  })
})

describe('the flag', () => {
  test('--quiet leaves errors and the summary', () => {
    const folder = folderWith({ 'many.xml': MANY })
    const { status, out, err } = importing(folder, '--quiet', join(folder, 'many.xml'))
    expect({ status, err }).toEqual({ status: 1, err: '' })
    expect(out).toContain('left out: 30 revisions whose time is missing, given twice or not valid\n')
    const torn = importing(folder, '--quiet', join(folder, 'absent.xml'))
    expect(torn).toMatchObject({
      status: 1,
      err: expect.stringContaining('absent.xml: there is no such file') as string,
    })
  })

  test('--report lists everything that was left out', () => {
    const folder = folderWith({ 'many.xml': MANY })
    const report = join(folder, 'report.jsonl')
    const { err } = importing(folder, '--report', report, join(folder, 'many.xml'))
    expect(err).not.toContain('--report')
    const rows = readFileSync(report, 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row) as { revisionId: number })
    expect(rows.map(({ revisionId }) => revisionId)).toEqual(Array.from({ length: 30 }, (_, n) => 20 * n + 2))
    expect(rows[1]).toEqual({
      file: 'many.xml',
      line: MANY.slice(0, MANY.indexOf('<id>22</id><text>')).split('\n').length,
      pageId: 11,
      title: 'Page 10',
      revisionId: 22,
      kind: 'revision-time',
      leftOut: 'revision',
      reason: 'it has no <timestamp>',
    })
  })

  test('--report with a file that cannot be written ends the command before the import', () => {
    const folder = folderWith({ 'one.xml': dump(page('A', 1, revision(1))) })
    const { status, err } = importing(
      folder,
      '--report',
      join(folder, 'no/such/folder'),
      join(folder, 'one.xml'),
    )
    expect(status).toBe(1)
    expect(err).toContain('palimpsest: cannot write the report: cannot open ')
    expect(source(openFolder(join(folder, 'data')), 'A')).toBeUndefined()
    expect(existsSync(join(folder, 'no'))).toBe(false)
  })
})
