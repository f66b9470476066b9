/**
 * Every command, where the system refuses something: one line on standard error says what, the status is the documented one,
 * and nothing is left half-written.
 */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { gardenFolder, temporaryFolder } from '../conformance/garden.js'
import { type CommandResult, runHosted, runProgram, START } from '../support/command.js'
import { canMount, NEEDS_MOUNT, withReadOnly, withSmallDisk } from '../support/mounts.js'
import { freePort } from '../support/ports.js'

const FIXTURE = join(import.meta.dirname, '../fixtures/garden.xml')
/** No folder can be made below it, not even by root. */
const FORBIDDEN = '/proc/none'
/** One line without control characters. */
const ONE_LINE = /^palimpsest: [^\x00-\x1f\x7f]+\n$/
const NOBODY = 65534

/** A wiki with an account, a token and a file, as it is copied for each test that writes. */
let wiki: string
let tokenId: string
beforeAll(async () => {
  wiki = await gardenFolder()
  // Others can look in, so that what is refused to them is what a test refuses.
  chmodSync(wiki, 0o755)
  const ran = (...line: string[]): string => {
    const { status, out, err } = runHosted([...line, '--data-dir', wiki])
    expect(status, err).toBe(0)
    return out
  }
  ran('user', 'create', 'Ann')
  tokenId = /^plmp_(\d+)_/.exec(ran('token', 'create', '--user', 'Ann'))![1]!
  const picture = join(temporaryFolder(), 'Dot.svg')
  writeFileSync(picture, '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
  ran('files', 'import', picture)
})

/** Folders and files of one test. */
interface Place {
  /** The data folder that is given. */
  readonly data: string
  /** A folder of its own. */
  readonly work: string
  /** The file that the command reads, if it reads files. */
  readonly input: string
}

interface CommandRow {
  readonly line: (place: Place) => readonly string[]
  /** A good file to read, by its text. */
  readonly reads?: string
  readonly stdin?: string
  /** It creates a wiki if the folder has none. */
  readonly makes?: true
  /** It prints nothing where all goes well. */
  readonly isSilent?: true
  /** It only reads the store. */
  readonly looks?: true
  /** Exit status when it fails; 1 unless given. */
  readonly failure?: number
}

const LINES = '{"from":"a","to":"b","mine":"a","base":"a","theirs":"b"}\n'
const TABLE = '{"name":"There.png","width":5,"height":5}\n'

/** Commands that work on a store. */
const COMMANDS: Readonly<Record<string, CommandRow>> = {
  import: { line: ({ input }) => ['import', input], reads: 'dump', makes: true },
  'import --report': {
    line: ({ input, work }) => ['import', input, '--report', join(work, 'report')],
    reads: 'dump',
    makes: true,
  },
  backup: { line: ({ work }) => ['backup', join(work, 'copy')] },
  'backup --keep': { line: ({ work }) => ['backup', '--keep', '1', join(work, 'copies')] },
  'files import': { line: ({ input }) => ['files', 'import', input], reads: 'file' },
  'files describe': { line: ({ input }) => ['files', 'describe', input], reads: 'table' },
  'files list': { line: () => ['files', 'list'], looks: true },
  'files remove': { line: () => ['files', 'remove', 'Dot.svg'] },
  reindex: { line: () => ['reindex'] },
  'site show': { line: () => ['site', 'show'], looks: true },
  'site set': { line: () => ['site', 'set', 'name', 'Other'], makes: true },
  'site import': { line: ({ input }) => ['site', 'import', input], reads: 'siteinfo', makes: true },
  'interwiki list': { line: () => ['interwiki', 'list'], looks: true },
  'interwiki set': { line: () => ['interwiki', 'set', 'x', 'http://x.example/$1'], makes: true },
  'interwiki remove': { line: () => ['interwiki', 'remove', 'ab'] },
  'interwiki import': { line: ({ input }) => ['interwiki', 'import', input], reads: 'prefixes', makes: true },
  'user create': { line: () => ['user', 'create', 'Bob'], makes: true },
  'user list': { line: () => ['user', 'list'], looks: true },
  'user password': { line: () => ['user', 'password', 'Ann'], stdin: 'correct horse battery\n' },
  'user groups': { line: () => ['user', 'groups', 'Ann', 'sysop'] },
  'token create': { line: () => ['token', 'create', '--user', 'Ann'] },
  'token list': { line: () => ['token', 'list'], looks: true },
  'token revoke': { line: () => ['token', 'revoke', tokenId] },
  'page protect': { line: () => ['page', 'protect', 'Compost', '--edit', 'sysop'] },
  'page unprotect': { line: () => ['page', 'unprotect', 'Compost'] },
  'revision hide': { line: () => ['revision', 'hide', '101', '--comment'] },
  'revision show': { line: () => ['revision', 'show', '101', '--comment'] },
  erase: { line: () => ['erase', '--revision', '101', '--yes'] },
  'log show': { line: () => ['log', 'show'], looks: true },
  'log cut': { line: () => ['log', 'cut', '--before', '2'] },
  stats: { line: () => ['stats'], looks: true },
  verify: { line: () => ['verify'], looks: true },
  replay: {
    line: ({ work, input }) => ['replay', input, '--into', join(work, 'again')],
    reads: 'dump',
    failure: 1,
  },
}

/** Commands without a store. */
const TEXT_COMMANDS: Readonly<Record<string, CommandRow>> = {
  diff: { line: ({ input }) => ['diff', FIXTURE, input], reads: 'dump', failure: 2 },
  'diff --jsonl': { line: () => ['diff', '--jsonl'], stdin: LINES, failure: 2 },
  merge: { line: ({ input }) => ['merge', FIXTURE, FIXTURE, input], reads: 'dump', failure: 2 },
  'merge --jsonl': { line: () => ['merge', '--jsonl'], stdin: LINES, failure: 2 },
  help: { line: () => ['--help'] },
  completion: { line: () => ['completion', 'bash'] },
}

/** It starts only where something refuses it. */
const SERVE: CommandRow = { line: () => ['serve', '--port', '0'] }

const READABLE: Readonly<Record<string, string | undefined>> = {
  file: '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>',
  table: TABLE,
  prefixes: 'x http://x.example/$1\n',
  siteinfo: JSON.stringify({
    query: {
      general: { sitename: 'Garden', wikiid: 'gardenwiki', lang: 'en' },
      namespaces: [...Array(16).keys()].map((id) => ({ id, name: id === 0 ? '' : `Space ${id}` })),
    },
  }),
}

/** A place with a copy of the wiki, and the file that the command reads. */
function placeFor(row: CommandRow, name = 'garden.xml'): Place {
  const work = temporaryFolder()
  chmodSync(work, 0o755)
  const data = join(work, 'data')
  cpSync(wiki, data, { recursive: true })
  const input = join(work, row.reads === 'file' ? name.replace(/\.xml$/, '.svg') : name)
  const text = READABLE[row.reads ?? '']
  if (text === undefined) cpSync(FIXTURE, input)
  else writeFileSync(input, text)
  return { data, work, input }
}

/** Runs a command; `starter` is a command line that becomes it. Without one, it runs in the process of `runHosted`. */
async function runLine(
  line: readonly string[],
  starter: readonly string[] = [],
  stdin = '',
): Promise<CommandResult> {
  if (starter.length === 0) return runHosted(line, stdin)
  const { child, output, exit } = runProgram(...starter, process.execPath, START, ...line)
  child.stdin!.on('error', () => undefined).end(stdin)
  return { status: await exit, out: output.stdout, err: output.stderr }
}

const lineOf = (row: CommandRow, place: Place, isOfStore: boolean): string[] => [
  ...row.line(place),
  ...(isOfStore ? ['--data-dir', place.data] : []),
]

/** The contents of a folder, without the lock file that a reading process leaves. */
const contentsOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('lock.mdb'))
    .toSorted()

const withStdout = (to: string): string[] => ['sh', '-c', `exec "$@" ${to}`, 'sh']
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
/** Another account can start this Node, which may lie in a folder of root's alone. The shell has lost root's powers. */
const canBeNobody =
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [...AS_NOBODY.slice(1), 'sh', '-c', '"$0" --version', process.execPath]).status === 0

const all = [
  ...Object.entries(COMMANDS).map(([name, row]) => ({ name, row, isOfStore: true })),
  ...Object.entries(TEXT_COMMANDS).map(([name, row]) => ({ name, row, isOfStore: false })),
]
const ofStore = [...all.filter(({ isOfStore }) => isOfStore), { name: 'serve', row: SERVE, isOfStore: true }]

/** A fault of a data folder, and the message that reports it. */
interface StoreRow {
  readonly says: RegExp
  /** Damages the place. Returns the data folder to name. */
  readonly spoil: (place: Place) => string
  readonly starter?: (place: Place) => readonly string[]
  readonly appliesTo?: (row: CommandRow) => boolean
  readonly isPossible?: boolean
}

const NOT_OURS =
  /belongs to the user id 0, and this process, of the user id 65534, may not write it: .* "chown -R ACCOUNT: /

const STORES: Readonly<Record<string, StoreRow>> = {
  'missing where no folder can be made': {
    says: /cannot make the folder \/proc\/none: /,
    spoil: () => FORBIDDEN,
    appliesTo: ({ makes }) => makes === true,
  },
  'a file instead of a folder': {
    says: /cannot (?:access|make the folder) \S+: .*(?:file|exists)/,
    spoil: ({ input }) => input,
  },
  'missing, and has control characters in its name': {
    says: /there is no wiki in \S+\\u001b\[2J\\u000a: /,
    spoil: ({ work }) => join(work, '\x1b[2J\n'),
    appliesTo: ({ makes }) => !makes,
  },
  'a folder without permission (needs root, setpriv, and a Node that others may start)': {
    says: NOT_OURS,
    spoil: ({ data }) => {
      chmodSync(data, 0o700)
      return data
    },
    starter: () => AS_NOBODY,
    isPossible: canBeNobody,
  },
  // LMDB would end the process by a signal.
  'a folder with a lock of another account, as root leaves it (needs root, setpriv, and a Node that others may start)':
    {
      says: NOT_OURS,
      spoil: ({ data }) => {
        const store = join(data, 'store')
        for (const path of [data, store, join(store, 'data.mdb')]) chmodSync(path, 0o777)
        writeFileSync(join(store, 'lock.mdb'), '', { mode: 0o644 })
        return data
      },
      starter: () => AS_NOBODY,
      isPossible: canBeNobody,
    },
  'a folder instead of its file': {
    says: /data\.mdb is not a file: there is no wiki in /,
    spoil: ({ data }) => {
      rmSync(join(data, 'store/data.mdb'))
      mkdirSync(join(data, 'store/data.mdb'))
      return data
    },
  },
  [`a file system that cannot be written (${NEEDS_MOUNT})`]: {
    says: /cannot open the store in \S+ for writing, .*read-only file system/i,
    spoil: ({ data }) => data,
    starter: ({ data }) => withReadOnly(data, []),
    isPossible: canMount,
  },
}

describe.each(Object.entries(STORES))('a data folder that is %s', (_state, state) => {
  const { says, spoil, starter, appliesTo = () => true, isPossible = true } = state
  const rows = ofStore.filter(({ row }) => appliesTo(row))
  describe.runIf(isPossible)('ends', () => {
    test.concurrent.each(rows)('$name', async ({ row }) => {
      const place = placeFor(row)
      const data = spoil(place)
      const before = contentsOf(place.work)
      const { status, out, err } = await runLine(
        lineOf(row, { ...place, data }, true),
        starter?.(place),
        row.stdin,
      )
      expect(err).toMatch(ONE_LINE)
      expect(err).toMatch(says)
      expect({ status, out }).toEqual({ status: 1, out: '' })
      expect(contentsOf(place.work)).toEqual(before)
    })
  })
})

describe('standard output', () => {
  test.concurrent.each(all)('on a full disk ends $name with 1 and one line', async ({ row, isOfStore }) => {
    const line = lineOf(row, placeFor(row), isOfStore)
    const { status, err } = await runLine(line, withStdout('>/dev/full'), row.stdin)
    expect({ status, err }).toEqual({
      status: 1,
      err: 'palimpsest: cannot write standard output: no space left on device\n',
    })
  })

  test('on a full disk lets serve go on, and ends it with 1', async () => {
    const { data } = placeFor(SERVE)
    const port = await freePort()
    const line = ['serve', '--port', String(port), '--data-dir', data]
    const server = runProgram(...withStdout('>/dev/full'), process.execPath, START, ...line)
    await server.printed(/cannot write standard output: no space left on device\n/)
    const { status } = await fetch(`http://127.0.0.1:${port}/v1/page/Compost`)
    server.child.kill('SIGTERM')
    expect([status, await server.exit]).toEqual([200, 1])
    expect(server.output.stderr.match(/standard output/g)).toHaveLength(1)
  })

  test.concurrent.each(all)('that nobody reads lets $name end as usual', async ({ row, isOfStore }) => {
    const line = lineOf(row, placeFor(row), isOfStore)
    const { child, output, exit } = runProgram(process.execPath, START, ...line)
    child.stdout!.destroy()
    child.stdin!.on('error', () => undefined).end(row.stdin)
    expect({ status: await exit, err: output.stderr }).toEqual({ status: 0, err: '' })
  })
})

const ofInput = all.filter(({ row }) => row.reads !== undefined)

/** A fault of an input file. */
const INPUTS: Readonly<
  Record<string, { says: RegExp; spoil: (place: Place) => string; isPossible?: boolean }>
> = {
  'is missing, and has control characters in its name': {
    says: /\\u001b\[2J\\u000agarden\.xml: there is no such file|the log needs the dump "garden\.xml"/,
    spoil: ({ work }) => join(work, '\x1b[2J\ngarden.xml'),
  },
  'is below a file': { says: /garden\.xml: /, spoil: ({ input }) => join(input, 'garden.xml') },
  'may not be read (needs root, setpriv, and a Node that others may start)': {
    says: /permission denied/,
    spoil: ({ work, data, input }) => {
      for (const path of [work, data, join(data, 'store'), join(data, 'store/data.mdb')])
        chmodSync(path, 0o777)
      rmSync(join(data, 'store/lock.mdb'), { force: true })
      chmodSync(input, 0o600)
      return input
    },
    isPossible: canBeNobody,
  },
}

describe.each(Object.entries(INPUTS))(
  'a file to read that %s',
  (state, { says, spoil, isPossible = true }) => {
    describe.runIf(isPossible)('ends', () => {
      test.concurrent.each(ofInput)('$name', async ({ row, isOfStore }) => {
        const place = placeFor(row)
        const input = spoil(place)
        const starter = state.startsWith('may not') ? AS_NOBODY : []
        const { status, out, err } = await runLine(lineOf(row, { ...place, input }, isOfStore), starter)
        expect(err).toMatch(ONE_LINE)
        expect(err).toMatch(says)
        expect({ status, out }).toEqual({ status: row.failure ?? 1, out: '' })
      })
    })
  },
)

test.concurrent.each(ofInput)('$name reads a pipe with a name', async ({ row, isOfStore }) => {
  const place = placeFor(row)
  const script =
    'mkfifo "$1.pipe"; mv "$1" "$1.text"; mv "$1.pipe" "$1"; cat "$1.text" > "$1" & shift; exec "$@"'
  const line = lineOf(row, place, isOfStore)
  const { status, err } = await runLine(line, ['sh', '-c', script, 'sh', place.input])
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

describe('a folder in the place of a file to read', () => {
  test.concurrent.each(ofInput.filter(({ name }) => name !== 'files import'))(
    'ends $name',
    async ({ row, isOfStore }) => {
      const place = placeFor(row)
      rmSync(place.input)
      mkdirSync(place.input)
      const { status, out, err } = await runLine(lineOf(row, place, isOfStore))
      expect(err).toMatch(ONE_LINE)
      expect(err).toMatch(/folder/)
      expect({ status, out }).toEqual({ status: row.failure ?? 1, out: '' })
    },
  )
})

/** Where something cannot be written to. */
const TARGETS: readonly [name: string, line: (place: Place) => string[]][] = [
  ['backup where no folder can be made', () => ['backup', FORBIDDEN]],
  ['backup to a file', ({ input }) => ['backup', input]],
  ['backup below a file', ({ input }) => ['backup', join(input, 'copy')]],
  ['backup --keep to a file', ({ input }) => ['backup', '--keep', '1', input]],
  ['backup --keep where no folder can be made', () => ['backup', '--keep', '1', FORBIDDEN]],
  [
    'import with a report in a missing folder',
    ({ input, work }) => ['import', input, '--report', join(work, 'a/b')],
  ],
  ['import with a report to a folder', ({ input, work }) => ['import', input, '--report', work]],
  ['replay to a file', ({ input }) => ['replay', input, '--into', input]],
  ['replay where no folder can be made', ({ input }) => ['replay', input, '--into', FORBIDDEN]],
]

describe('a place that cannot be written to ends', () => {
  test.concurrent.each(TARGETS)('%s', async (_name, line) => {
    const place = placeFor({ line })
    const before = contentsOf(place.work)
    const { status, out, err } = await runLine([...line(place), '--data-dir', place.data])
    expect(err).toMatch(ONE_LINE)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(contentsOf(place.work)).toEqual(before)
  })
})

describe.runIf(canMount)(`a full disk (${NEEDS_MOUNT})`, () => {
  test.concurrent.each([
    ['backup', (disk: string) => ['backup', join(disk, 'copy')]],
    ['backup --keep', (disk: string) => ['backup', '--keep', '3', disk]],
  ] as const)('ends %s, and leaves nothing', async (_name, line) => {
    const place = placeFor({ line: () => [] })
    const disk = mkdtempSync(join(place.work, 'disk-'))
    const script = 'status=0; "$@" || status=$?; ls -A "$0"; exit $status'
    const starter = withSmallDisk(disk, 65_536, ['sh', '-c', script, disk])
    const { status, out, err } = await runLine([...line(disk), '--data-dir', place.data], starter)
    expect(err).toMatch(ONE_LINE)
    expect(err).toMatch(/no space left on device/i)
    expect({ status, out }).toEqual({ status: 1, out: '' })
  })

  test.concurrent.each(ofStore.filter(({ row }) => row.makes))(
    'ends $name before it writes',
    async ({ row }) => {
      const place = placeFor(row)
      const data = mkdtempSync(join(place.work, 'disk-'))
      const starter = withSmallDisk(data, 2 ** 20, [])
      const { status, out, err } = await runLine(lineOf(row, { ...place, data }, true), starter)
      expect(err).toMatch(ONE_LINE)
      expect(err).toMatch(/the disk of \S+ has less than 32 MiB left/)
      expect({ status, out }).toEqual({ status: 1, out: '' })
    },
  )
})
