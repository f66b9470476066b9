/** An import that a fault in the middle of a packed dump ends: the process ends too, with the program that unpacks. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dump, page, revision } from '../dump/dumpText.js'
import { runUnder, START } from '../support/command.js'
import { temporaryFolder } from '../support/store.js'

/** Damaged after its first page. The rest is more than pipes and buffers hold, so that nobody is done with it. */
const DAMAGED = dump(
  `${page('First', 1, revision(1))}<page>&nbsp;${page('Long', 2, revision(2))}`.concat(
    `<!-- ${'x'.repeat(4_000_000)} -->`,
  ),
)

/** First bytes of each format, and the program that unpacks it. */
const FORMATS = [
  ['xz', Buffer.from('fd377a585a00', 'hex')],
  ['zstd', Buffer.from('28b52ffd', 'hex')],
  ['lbzip2', Buffer.from('BZh91AY&SY')],
] as const

const isInstalled = (program: string): boolean => spawnSync(program, ['--help']).error === undefined

/** Processes that have the folder in their command line. */
function processesWith(folder: string): string[] {
  return readdirSync('/proc').flatMap((id) => {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) return []
    try {
      const line = readFileSync(`/proc/${id}/cmdline`, 'utf8')
      return line.includes(folder) ? [line] : []
    } catch {
      return []
    }
  })
}

async function importWith(path: string, folder: string, file: string) {
  const flags = ['import', '--data-dir', join(folder, 'data'), join(folder, file)]
  const { exit, output } = runUnder(['env', `PATH=${path}`, process.execPath, START, ...flags])
  return { status: await exit, ...output }
}

describe('ends with status 1 and one line, and leaves no process', () => {
  test.each(FORMATS)('where a stand-in for %s unpacks', async (program, magic) => {
    const folder = temporaryFolder()
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, program), `#!/bin/sh\n# ${folder}\ntail -c +${magic.length + 1}\n`)
    chmodSync(join(bin, program), 0o755)
    writeFileSync(join(folder, 'dump'), Buffer.concat([magic, Buffer.from(DAMAGED)]))
    const { status, stderr } = await importWith(`${bin}:/usr/bin:/bin`, folder, 'dump')
    expect(stderr).toMatch(/^palimpsest: dump: the XML is damaged: .*\(line \d+, byte \d+ of the XML/m)
    expect(status).toBe(1)
    expect(processesWith(folder)).toEqual([])
  })

  test.each(['xz', 'zstd', 'lbzip2', 'bzip2'])(
    'where %s itself unpacks (skipped without it)',
    async (program) => {
      if (!isInstalled(program)) return
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'dump.xml'), DAMAGED)
      const packed = spawnSync(program, ['-c', join(folder, 'dump.xml')], { maxBuffer: 2 ** 26 })
      writeFileSync(join(folder, 'packed'), packed.stdout)
      const { status, stderr } = await importWith(
        dirname(process.execPath).concat(':/usr/bin:/bin'),
        folder,
        'packed',
      )
      expect(stderr).toContain('palimpsest: packed: the XML is damaged')
      expect(status).toBe(1)
    },
  )
})
