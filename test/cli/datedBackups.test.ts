/** `palimpsest backup --keep`: dated backups in one folder, of which the newest ones are kept. */
// @module-tag slow
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { backUpDated } from '../../src/cli/backup/backUp.js'
import { unfinishedPath } from '../../src/cli/backup/unfinished.js'
import { Store } from '../../src/storage/store.js'
import { removeAfterFile } from '../support/cleanUp.js'
import { type CommandResult, run, runHosted, runProgram, START } from '../support/command.js'
import { changeRows, flipBit } from '../support/damage.js'
import { rounds } from '../support/effort.js'
import { canMount, NEEDS_MOUNT, withSmallDisk } from '../support/mounts.js'
import { randomNumbers } from '../support/random.js'
import { DumpApplier, openFolder, page, problems, revision, temporaryFolder } from '../support/store.js'

const DATED = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const DAY_MS = 86_400_000
const FIRST = Date.UTC(2026, 10, 1, 3)

let dataDir: string
let folder: string
/** What a backup says. */
let told: string[]
const TOLD = {
  tell: (line: string) => told.push(line),
  warn: (line: string) => told.push(`warning: ${line}`),
}

beforeEach(async () => {
  told = []
  folder = temporaryFolder()
  dataDir = temporaryFolder()
  const store = openFolder(dataDir, { create: true })
  await store.close()
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** As the command does, but in this process. */
async function verify(path: string): Promise<readonly string[]> {
  const store = Store.open(path)
  try {
    return problems(store)
  } finally {
    await store.close()
  }
}

/** The backup of a day, from 0. */
const backUpOn = (day: number, keep: number): Promise<string> =>
  backUpDated(dataDir, { folder, keep, time: FIRST + day * DAY_MS, verify }, TOLD)

const nameOf = (day: number): string => `2026-11-${String(day + 1).padStart(2, '0')}T03-00-00Z`
const names = (): string[] => readdirSync(folder).toSorted()
const dated = (): string[] => names().filter((name) => DATED.test(name))

/** Makes the folder of a killed backup: no process has its start time. `where` names another machine. */
function leaveUnfinished(base: string, where?: string): string {
  const [, pid, ownWhere, chance] = /-(\d+)-\d*-(\w+)-(\w+)$/.exec(unfinishedPath(base))!
  const path = join(folder, `${base}.unfinished-${pid}-1-${where ?? ownWhere}-${chance}`)
  mkdirSync(join(path, 'store'), { recursive: true })
  writeFileSync(join(path, 'store/data.mdb'), 'half')
  return path
}

describe('backup --keep', () => {
  test('names the backup by the time in UTC, and leads to it by a link', () => {
    const before = Date.now()
    const { status, out, err } = runHosted([
      'backup',
      '--data-dir',
      dataDir,
      '--keep',
      '2',
      join(folder, 'a/b'),
    ])
    expect(status, err).toBe(0)
    const [name, link, ...others] = readdirSync(join(folder, 'a/b')).toSorted()
    expect([link, others]).toEqual(['latest', []])
    expect(name).toMatch(DATED)
    const time = Date.parse(name!.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
    expect(time).toBeGreaterThanOrEqual(before - 1000)
    expect(time).toBeLessThanOrEqual(Date.now())
    expect(out).toMatch(new RegExp(`^${join(folder, 'a/b', name!)}: \\d+\\.\\d MB\n$`))
    expect(problems(openFolder(join(folder, 'a/b/latest')))).toEqual([])
  })

  test.each([1, 3])('keeps %i, and says which it removes', async (keep) => {
    for (let day = 0; day < 5; day++) await backUpOn(day, keep)
    const kept = [0, 1, 2, 3, 4].slice(-keep).map(nameOf)
    expect(names()).toEqual([...kept, 'latest'])
    expect(readlinkSync(join(folder, 'latest'))).toBe(nameOf(4))
    const removed = told.filter((line) => line.startsWith('removed'))
    expect(removed).toEqual(
      [0, 1, 2, 3, 4].slice(0, -keep).map((day) => `removed ${join(folder, nameOf(day))}`),
    )
  })

  test('removes more than one where fewer are wanted than before', async () => {
    for (let day = 0; day < 4; day++) await backUpOn(day, 9)
    await backUpOn(4, 2)
    expect(dated()).toEqual([nameOf(3), nameOf(4)])
  })

  test('touches nothing of another name or kind', async () => {
    const others = ['2026-10-01', '2026-10-01T03-00-00Z.old', 'notes', '1999-01-01T00-00-00Z']
    for (const name of others) mkdirSync(join(folder, name))
    writeFileSync(join(folder, '1998-01-01T00-00-00Z'), 'a file')
    symlinkSync('notes', join(folder, '1997-01-01T00-00-00Z'))
    const ofOther = leaveUnfinished('monday')
    for (let day = 0; day < 3; day++) await backUpOn(day, 1)
    const own = [nameOf(2), 'latest']
    const left = [...others, '1998-01-01T00-00-00Z', '1997-01-01T00-00-00Z', ofOther.slice(folder.length + 1)]
    expect(names()).toEqual([...left, ...own].toSorted())
  })

  test('never removes the backup that it made, even where the clock was put back', async () => {
    await backUpOn(5, 1)
    await backUpOn(2, 1)
    expect(dated()).toEqual([nameOf(2), nameOf(5)])
    await backUpOn(6, 1)
    expect(dated()).toEqual([nameOf(6)])
  })

  test('gives two of one second two names', async () => {
    await backUpOn(0, 5)
    await backUpOn(0, 5)
    expect(dated()).toEqual([nameOf(0), '2026-11-01T03-00-01Z'])
  })

  test('leaves a folder called latest alone, and says so', async () => {
    mkdirSync(join(folder, 'latest'))
    await backUpOn(0, 1)
    expect(told.filter((line) => line.startsWith('warning'))).toEqual([
      `warning: ${join(folder, 'latest')} is not a link, so it stays as it is and does not lead to the newest backup`,
    ])
    expect(readdirSync(join(folder, 'latest'))).toEqual([])
  })

  test.each(['0', '-1', '1.5', 'all', ''])('refuses to keep "%s"', (keep) => {
    const { status, err } = runHosted(['backup', '--data-dir', dataDir, `--keep=${keep}`, folder])
    expect(status).toBe(1)
    expect(err).toContain('It must be a whole number from 1.')
    expect(names()).toEqual([])
  })
})

describe('a backup with --keep that fails', () => {
  test('removes nothing, and leaves nothing', async () => {
    for (let day = 0; day < 2; day++) await backUpOn(day, 2)
    const before = names()
    vi.spyOn(Store.prototype, 'backup').mockImplementation((target) => {
      mkdirSync(join(target, 'store'))
      writeFileSync(join(target, 'store/data.mdb'), 'half')
      return Promise.reject(new Error('the disk is broken'))
    })
    await expect(backUpOn(2, 1)).rejects.toThrow(/^cannot copy the store into .*: the disk is broken$/)
    expect(names()).toEqual(before)
    expect(readlinkSync(join(folder, 'latest'))).toBe(nameOf(1))
  })

  test.skipIf(!canMount)(`removes nothing where the disk is full (${NEEDS_MOUNT})`, async () => {
    await backUpOn(0, 1)
    // Room for one copy of the store and half of another.
    const { size } = statSync(join(folder, nameOf(0), 'store/data.mdb'))
    const script = 'cp -r "$1/." "$2"; shift 2; status=0; "$@" || status=$?; ls "$BACKUPS" >&2; exit $status'
    const disk = temporaryFolder()
    const command = [process.execPath, START, 'backup', '--data-dir', dataDir, '--keep', '1', disk]
    const shell = ['env', `BACKUPS=${disk}`, 'sh', '-ec', script, 'sh', folder, disk, ...command]
    const { exit, output } = runProgram(...withSmallDisk(disk, Math.ceil(1.5 * size), shell))
    expect(await exit).toBe(1)
    expect(output.stdout).toBe('')
    expect(output.stderr).toMatch(
      new RegExp(`^palimpsest: .*No space left on device\n${nameOf(0)}\nlatest\n$`),
    )
  })
})

describe('a backup with --keep of a damaged wiki', () => {
  /** Damages a row that a copy takes over as it is. */
  const damage = (): Promise<void> =>
    changeRows(dataDir, 'meta', ({ rows, put }) => {
      const { key, value } = rows.find((row) => row.key.toString() === 'counters')!
      put(key, flipBit(value, 3))
    })
  const backUpByCommand = (): CommandResult =>
    runHosted(['backup', '--data-dir', dataDir, '--keep', '1', folder])

  beforeEach(async () => {
    const store = openFolder(dataDir)
    const applier = new DumpApplier(store)
    applier.importPages('d', [page(1, 'Moon', [revision(1, 'a')])])
    await store.close()
  })

  test('removes no other, and sets its copy aside', async () => {
    await backUpOn(0, 1)
    await damage()
    const { status, out, err } = backUpByCommand()
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err).toMatch(/ is damaged\n/)
    expect(err).toMatch(
      /\npalimpsest: the copy in \S+Z\.damaged is damaged \(problems: \d+\), so older backups stay: /,
    )
    expect(dated()).toEqual([nameOf(0)])
    expect(readlinkSync(join(folder, 'latest'))).toBe(nameOf(0))
    expect(problems(openFolder(join(folder, 'latest')))).toEqual([])
  })

  test('keeps one such copy, however often it is tried', async () => {
    await damage()
    for (let day = 0; day < 3; day++) await expect(backUpOn(day, 1)).rejects.toThrow(/is damaged/)
    expect(names()).toEqual([`${nameOf(2)}.damaged`])
  })
})

describe('an unfinished backup', () => {
  test('of a process that was killed is removed by the next one', async () => {
    const left = leaveUnfinished(nameOf(0))
    await backUpOn(1, 3)
    expect(told[0]).toBe(`removed the unfinished backup ${left}`)
    expect(names()).toEqual([nameOf(1), 'latest'])
  })

  test('of another machine is named, and removed an hour after its last change', async () => {
    const elsewhere = leaveUnfinished(nameOf(0), '00000000')
    await backUpOn(1, 3)
    expect(told[0]).toMatch(`warning: ${elsewhere} is unfinished, and another machine or container may`)
    expect(existsSync(elsewhere)).toBe(true)
    const twoHoursAgo = new Date(Date.now() - 7_200_000)
    for (const part of ['store/data.mdb', 'store', ''])
      utimesSync(join(elsewhere, part), twoHoursAgo, twoHoursAgo)
    await backUpOn(2, 3)
    expect(told).toContain(`removed the unfinished backup ${elsewhere}`)
    expect(existsSync(elsewhere)).toBe(false)
  })

  test('of a running process stays, without a word', async () => {
    const inWork = unfinishedPath(join(folder, nameOf(0)))
    mkdirSync(inWork)
    await backUpOn(1, 3)
    expect(existsSync(inWork)).toBe(true)
    expect(told).toHaveLength(1)
  })

  test('without --keep is removed by the next one of that name', () => {
    const [ours, other] = [leaveUnfinished('monday'), leaveUnfinished('tuesday')]
    const { status, out } = runHosted(['backup', '--data-dir', dataDir, join(folder, 'monday')])
    expect(status).toBe(0)
    expect(out).toContain(`removed the unfinished backup ${ours}\n`)
    expect(names()).toEqual(['monday', other.slice(folder.length + 1)])
  })
})

describe('backups of a wiki with files', () => {
  /** Enough contents for a copy to be met in the middle. */
  const FILES = 40
  const wiki = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  removeAfterFile(wiki)

  beforeAll(async () => {
    const files = join(wiki, 'to import')
    mkdirSync(files)
    for (let n = 0; n < FILES; n++) writeFileSync(join(files, `File_${n}.txt`), `text ${n} `.repeat(1000))
    await Store.open(wiki, { create: true }).close()
    expect(runHosted(['files', 'import', '--data-dir', wiki, files])).toMatchObject({ status: 0 })
  })

  const command = (keep: number): string[] => ['backup', '--data-dir', wiki, '--keep', String(keep), folder]

  /** Fails unless every folder with a date is a whole backup. */
  const expectWhole = async (): Promise<void> => {
    for (const name of dated()) {
      const store = Store.open(join(folder, name))
      expect(problems(store)).toEqual([])
      await store.close()
      const contents = readdirSync(join(folder, name, 'files'), { recursive: true, withFileTypes: true })
      expect(contents.filter((entry) => entry.isFile())).toHaveLength(FILES)
    }
    expect(dated()).toContain(readlinkSync(join(folder, 'latest')))
  }

  /** Runs a backup, and kills it after `changes` changes in the folder. Returns the number of changes. */
  async function killAfter(changes: number): Promise<number> {
    const { child, exit } = run(...command(2))
    let isOver = false
    void exit.then(() => (isOver = true))
    const listing = (): string => readdirSync(folder, { recursive: true, encoding: 'utf8' }).join('\n')
    let last = listing()
    let seen = 0
    while (!isOver) {
      try {
        const now = listing()
        if (now !== last) seen++
        last = now
      } catch (error) {
        // A folder went while it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
      if (seen >= changes) child.kill('SIGKILL')
      await new Promise(setImmediate)
    }
    return seen
  }

  test(
    'are whole, and as many as were wanted, however often they are killed',
    { timeout: 300_000 },
    async () => {
      for (let n = 0; n < 2; n++) expect(runHosted(command(2))).toMatchObject({ status: 0 })
      const most = await killAfter(Infinity)
      expect(most).toBeGreaterThan(3)
      const chance = randomNumbers(20)
      for (let round = 0; round < rounds(60, 6); round++) {
        await killAfter(Math.floor(chance() * most))
        expect(dated().length).toBeGreaterThanOrEqual(2)
        await expectWhole()
      }
      expect(runHosted(command(2))).toMatchObject({ status: 0 })
      expect(names()).toEqual([...dated(), 'latest'])
      expect(dated()).toHaveLength(2)
      await expectWhole()
    },
  )

  test.each([1, 2])('may be made three at a time, where %i are kept', async (keep) => {
    for (let round = 0; round < rounds(10, 1); round++) {
      const all = [0, 1, 2].map(() => run(...command(keep)))
      for (const { exit, output } of all) expect(await exit, output.stderr).toBe(0)
      expect(dated().length).toBeGreaterThanOrEqual(keep)
      await expectWhole()
    }
    // Those of one second have the names of later ones.
    await backUpDated(wiki, { folder, keep, time: Date.now() + 60_000, verify }, TOLD)
    expect(names()).toEqual([...dated(), 'latest'])
    expect(dated()).toHaveLength(keep)
    await expectWhole()
  })
})
