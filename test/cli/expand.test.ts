/** `palimpsest expand` as people and programs run it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { COMMAND, type CommandResult, run, runHosted, runProgram, startProcess } from '../support/command.js'
import { openFolder, page, revision, temporaryFolder, temporaryStore } from '../support/store.js'

const SITE = {
  ...DEFAULT_SITE,
  name: 'Garden wiki',
  namespaces: [
    ...DEFAULT_SITE.namespaces,
    { id: 828, name: 'Modul', case: 'first-letter' },
    { id: 829, name: 'Modul talk', case: 'first-letter' },
  ],
} as const

const SUMS = `local p = {}
function p.add(frame)
  mw.log('adds', frame.args[1])
  return frame.args[1] + frame.args[2]
end
function p.fail(frame)
  local function inner() error('no sum') end
  inner()
end
function p.endless() while true do pcall(error) end end
function p.hang() return ('a'):rep(300000):find(('a?'):rep(1000) .. 'b') end
return p
`
const PAGES = {
  'Template/Sum.wiki': '{{#invoke:Sums|add|{{{1}}}|{{{2}}}}}<noinclude>not shown</noinclude>',
  'Template/Wrong.wiki': '{{#invoke:Sums|fail}}',
  'Module/Sums.lua': SUMS,
}
/** A module that hangs is ended after both times together. */
const SHORT = { settings: { PALIMPSEST_RENDER_TIMEOUT_MS: '100' } }

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Expands on a folder of pages, where there is no wiki. */
function expand(
  flags: readonly string[],
  input = '',
  options: { settings?: Record<string, string> } = {},
): CommandResult {
  const cwd = temporaryFolder()
  return runHosted(['expand', '--pages', folderWith(PAGES), ...flags], input, { cwd, ...options })
}

/** A wiki with a template and a module of its own. */
function garden(): string {
  const { applier, store, dataDir } = temporaryStore()
  applier.adoptSite(SITE)
  applier.importPages('made for a test', [
    page(1, 'Note', [revision(1, '({{{1}}} on {{SITENAME}}, {{FULLPAGENAME}})')], { namespace: 10 }),
    page(
      2,
      'Sums',
      [revision(2, "return {add = function () return 'stored' end}", { contentModel: 'Scribunto' })],
      {
        namespace: 828,
      },
    ),
  ])
  void store
  return dataDir
}

describe('palimpsest expand', () => {
  test('expands a file with templates and modules of a folder, where there is no wiki', () => {
    const file = join(
      folderWith({ 'text.wiki': "''{{Sum|1|{{#expr:1+1}}}}'' {{unknown}} <nowiki>{{Sum}}</nowiki>\n" }),
      'text.wiki',
    )
    expect(expand([file])).toEqual({
      status: 0,
      out: "''3'' [[:Template:Unknown]] <nowiki>{{Sum}}</nowiki>\n",
      err: 'log: adds\t1\n',
    })
  })

  test('takes standard input, a title, and ends its output with a newline', () => {
    expect(expand(['--title', 'Talk:Wren', '-'], '{{FULLPAGENAME}} {{{1}}}')).toMatchObject({
      status: 0,
      out: 'Talk:Wren {{{1}}}\n',
    })
  })

  test('tells of an error of a module with its traceback and place', () => {
    const { status, out, err } = expand(['-'], 'a {{Wrong}} b')
    expect(status).toBe(1)
    expect(out).toMatch(/^a <strong class="error">.*Lua error in Module:Sums at line 7: no sum\..* b\n$/)
    expect(err).toBe(
      'palimpsest: Lua error in Module:Sums at line 7: no sum.\n' +
        "  [C]: in function 'error'\n" +
        "  Module:Sums:7: in function 'inner'\n" +
        "  Module:Sums:8: in function 'run'\n" +
        '  called in Template:Wrong, in Main Page\n',
    )
  })

  test('tells of a module that is missing, and of a template that calls itself', () => {
    expect(expand(['-'], '{{#invoke:Nowhere|f}}')).toMatchObject({
      status: 1,
      err: 'palimpsest: Script error: No such module "Nowhere".\n  called in Main Page\n',
    })
    const pages = folderWith({ 'Template/Loop.wiki': '{{Loop}}' })
    expect(runHosted(['expand', '--pages', pages, '-'], '{{Loop}}', { cwd: pages })).toMatchObject({
      status: 1,
      err: 'palimpsest: Template:Loop calls itself\n',
    })
  })

  test('ends modules at their limits of time and memory', () => {
    const endless = expand(['--lua-time-ms', '100', '-'], '{{#invoke:Sums|endless}}')
    expect(endless).toMatchObject({
      status: 1,
      out: expect.stringContaining('The time allocated for running') as string,
    })
    const pages = folderWith({ 'Hog.lua': "return {f = function () return #('x'):rep(2e6) end}" })
    const hog = runHosted(
      ['expand', '--pages', pages, '--lua-memory-bytes', '1048576', '-'],
      '{{#invoke:Hog|f}}',
      { cwd: pages },
    )
    expect(hog).toMatchObject({ status: 1, err: expect.stringContaining('not enough memory') as string })
  })

  test('ends a module that hangs in a call of C', () => {
    expect(expand(['--lua-time-ms', '100', '-'], '{{#invoke:Sums|hang}}', SHORT)).toEqual({
      status: 2,
      out: '',
      err: 'palimpsest: the text took more than 200 ms of processor time, and was ended\n',
    })
  })

  test('says what to give, and what is missing', () => {
    const nothing = expand([])
    expect(nothing).toMatchObject({ status: 2, out: '' })
    expect(nothing.err).toMatch(/^error: give a file, or - for standard input, or --jsonl, or --lua\n/)
    expect(expand(['--jsonl', '-'])).toMatchObject({ status: 2, out: '' })
    expect(expand(['/nowhere/text'])).toMatchObject({
      status: 2,
      err: 'palimpsest: cannot open /nowhere/text: there is no such file or folder\n',
    })
    expect(expand(['--title', 'a[b', '-'], 'x')).toMatchObject({
      status: 2,
      err: 'palimpsest: "a[b" is not the title of a page\n',
    })
  })

  test('expands without any wiki, and says that there is none', () => {
    const { status, out, err } = runHosted(['expand', '-'], '{{lc:ABC}}', { cwd: temporaryFolder() })
    expect({ status, out }).toEqual({ status: 0, out: 'abc\n' })
    expect(err).toMatch(/^palimpsest: there is no wiki in \.\/data, so .* --data-dir, or .* --pages\n$/)
  })

  test('refuses a data folder without a wiki, a folder that is missing, and a file that is no page', () => {
    const empty = temporaryFolder()
    expect(runHosted(['expand', '--data-dir', empty, '-'], 'x')).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^palimpsest: there is no wiki in /) as string,
    })
    expect(runHosted(['expand', '--pages', join(empty, 'none'), '-'], 'x', { cwd: empty })).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^palimpsest: cannot list the folder .*none: there is no such/) as string,
    })
    const odd = folderWith({ 'a[b].wiki': '' })
    expect(runHosted(['expand', '--pages', odd, '-'], 'x', { cwd: empty })).toMatchObject({
      status: 2,
      err: `palimpsest: ${odd}/a[b].wiki is not named by a page's title\n`,
    })
  })
})

describe('palimpsest expand on a wiki', () => {
  test('uses its settings, templates and modules, beside a server, and changes nothing', async () => {
    const dataDir = garden()
    await startProcess(dataDir)
    const generation = openFolder(dataDir).refresh()
    const text = '{{Note|a}} {{#invoke:Sums|add}} {{Modul:Sums}}'
    expect(runHosted(['expand', '--data-dir', dataDir, '--title', 'Wren', '-'], text)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^\(a on Garden wiki, Wren\) stored return \{/) as string,
    })
    expect(openFolder(dataDir).refresh()).toBe(generation)
  })

  test('takes pages of a folder before those of the wiki', () => {
    const dataDir = garden()
    const text =
      '{{Note|a}} {{#invoke:Sums|add|1|2}} {{#ifexist:Template:Sum|there}} {{#ifexist:Template:Note|there}}'
    const pages = folderWith(PAGES)
    expect(runHosted(['expand', '--data-dir', dataDir, '--pages', pages, '-'], text)).toMatchObject({
      status: 0,
      out: '(a on Garden wiki, Main Page) 3 there there\n',
    })
  })
})

describe('palimpsest expand --jsonl', () => {
  const lines = (texts: readonly unknown[]): string =>
    texts.map((text) => `${JSON.stringify(text)}\n`).join('')
  const answers = (out: string): unknown[] =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)

  test('expands many texts in their order', () => {
    const input = lines([
      { title: 'Wren', text: '{{PAGENAME}} {{Sum|1|2}}' },
      { title: 'Owl', text: '{{Wrong}}' },
    ])
    const { status, out } = expand(['--jsonl'], input)
    expect(status).toBe(0)
    const [first, second] = answers(out)
    expect(first).toEqual({ expanded: 'Wren 3', categories: [], errors: [], warnings: [], log: ['adds\t1'] })
    expect(second).toMatchObject({
      categories: ['Pages with script errors'],
      errors: [
        {
          message: 'Lua error in Module:Sums at line 7: no sum.',
          traceback: expect.arrayContaining(["Module:Sums:7: in function 'inner'"]) as string[],
          within: ['Template:Wrong', 'Owl'],
        },
      ],
    })
  })

  test('answers a line that cannot be read with its error, and goes on', () => {
    const long = JSON.stringify({ title: 'A', text: 'x'.repeat(17 * 2 ** 20) })
    const input = `{\n${lines([{ text: 'a' }])}${long}\n${lines([
      { title: '[', text: 'a' },
      { title: 'A', text: 'b' },
    ])}`
    const { status, out, err } = expand(['--jsonl'], input)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(answers(out)).toEqual([
      { errors: [{ message: 'line 1 is not JSON in UTF-8' }] },
      { errors: [{ message: 'line 2 is not a JSON object with the texts "title" and "text"' }] },
      { errors: [{ message: 'line 3 is longer than 16777216 bytes' }] },
      { errors: [{ message: '"[" is not the title of a page' }] },
      { expanded: 'b', categories: [], errors: [], warnings: [], log: [] },
    ])
  })

  test('goes on after a text that hung', () => {
    const texts = ['{{#invoke:Sums|hang}}', '{{Sum|2|3}}'].map((text) => ({ title: 'A', text }))
    const { out } = expand(['--jsonl', '--lua-time-ms', '100'], lines(texts), SHORT)
    expect(answers(out)).toMatchObject([
      { errors: [{ message: 'the text took more than 200 ms of processor time, and was ended' }] },
      { expanded: '5' },
    ])
  })

  test('answers each line before it reads the next one', async () => {
    const expanding = run('expand', '--jsonl', '--pages', folderWith(PAGES))
    const { child, exit } = expanding
    child.stdin?.write(lines([{ title: 'A', text: 'first {{Sum|1|1}}' }]))
    await expanding.printed(/"first 2"/)
    child.stdin?.end(lines([{ title: 'A', text: 'second' }]))
    await expanding.printed(/"second"/)
    expect(await exit).toBe(0)
  })
})

describe('palimpsest expand --lua', () => {
  const talk = (input: string, flags: readonly string[] = [], options = {}): CommandResult =>
    expand(['--lua', ...flags], input, options)

  test('keeps variables between lines, and shows values behind =', () => {
    const input = `p = require('Module:Sums')\nx = 20\n=x + 1\nx * 2, 'b'\n = type(p.add), nil\n`
    expect(talk(input)).toEqual({ status: 0, out: '21\n40\tb\nfunction\tnil\n', err: '' })
  })

  test('shows what modules log and print, and objects', () => {
    const input =
      "frame = mw.getCurrentFrame()\n=require('Module:Sums').add{args = {1, 2}}\nprint('a', nil)\n" +
      "mw.logObject({a = 1}, 'object')\n=frame:preprocess('{{Sum|1|1}} {{FULLPAGENAME}}')\n"
    expect(talk(input, ['--title', 'Talk:Owl'])).toEqual({
      status: 0,
      out: 'adds\t1\n3\na\tnil\nobject = table#1 {\n    ["a"] = 1,\n}\nadds\t1\n2 Talk:Owl\n',
      err: '',
    })
  })

  test('waits for the end of what is not complete', () => {
    expect(talk('function f(x)\n  return x + 1\nend\n=f(\n2)\n=[[a\nb]]\n')).toEqual({
      status: 0,
      out: '3\na\nb\n',
      err: '',
    })
    expect(talk('function f()\n')).toEqual({ status: 1, out: '', err: 'the last line is not complete\n' })
  })

  test('tells of errors and goes on', () => {
    const { status, out, err } = talk(
      "x = = 1\nmissing.field = 1\nrequire('Module:Sums').fail()\n='still here'\n",
    )
    expect({ status, out }).toEqual({ status: 1, out: 'still here\n' })
    expect(err).toBe(
      "console:1: unexpected symbol near '='\n" +
        "console:1: attempt to index global 'missing' (a nil value)\n" +
        '  console:1: in main chunk\n' +
        'Module:Sums:7: no sum\n' +
        "  [C]: in function 'error'\n" +
        "  Module:Sums:7: in function 'inner'\n" +
        '  Module:Sums:8: in function <Module:Sums:6>\n',
    )
  })

  test('ends a line that takes too long, and keeps the variables', () => {
    const input = "x = 1\nrequire('Module:Sums').endless()\n=x\n"
    expect(talk(input, ['--lua-time-ms', '100'])).toEqual({
      status: 1,
      out: '1\n',
      err: 'The time allocated for running scripts has expired.\n',
    })
  })

  test('ends a line that hangs, and begins again', () => {
    const input = "x = 1\nrequire('Module:Sums').hang()\n=x\n"
    expect(talk(input, ['--lua-time-ms', '100'], SHORT)).toEqual({
      status: 1,
      out: 'nil\n',
      err: 'the line took more than 200 ms of processor time, and was ended\nThe variables of earlier lines are lost.\n',
    })
  })

  test('runs where a server runs no modules', () => {
    const settings = { PALIMPSEST_LUA: 'false' }
    expect(talk('=1\n', [], { settings })).toEqual({ status: 0, out: '1\n', err: '' })
    expect(expand(['-'], '{{Sum|1|2}}', { settings })).toMatchObject({
      status: 1,
      err: expect.stringContaining('Modules do not run here: Module:Sums') as string,
    })
  })
})

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')

describe.skipIf(!hasScript)('palimpsest expand --lua on a terminal (needs script of util-linux)', () => {
  test('Ctrl-C ends a line that never ends, and not the console', async () => {
    const line = `${process.execPath} ${COMMAND} expand --lua --pages ${folderWith(PAGES)}`
    const terminal = runProgram('script', '-qec', line, '/dev/null')
    const { child, exit } = terminal
    const prompted = (before: string): Promise<RegExpExecArray> =>
      terminal.printed(new RegExp(`${before}[^]*> \\x1b\\[3G$`))
    await prompted('Ctrl-D')
    child.stdin?.write("x = 'kept'\r")
    await prompted("= 'kept'\r+\n")
    child.stdin?.write('begun, and not sent\x03')
    await prompted('not sent[^]*\r\n')
    child.stdin?.write('print(1) while true do pcall(error) end\r')
    await terminal.printed(/pcall\(error\) end\r+\n/)
    child.stdin?.write('\x03')
    // The line may not have come to its print yet.
    await prompted('end\r+\n(?:1\r\n)?interrupted\r\n')
    child.stdin?.write('=x\r')
    await prompted('kept\r\n')
    child.stdin?.write('\x1b[A\r')
    await terminal.printed(/=x[^]*\nkept[^]*=x[^]*\nkept\r\n/)
    child.stdin?.write('\x04')
    expect(await exit).toBe(0)
  })
})
