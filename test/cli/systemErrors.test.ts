/** The system refuses something to a command: one line says what, and no stack trace. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { gardenFolder, temporaryFolder } from '../conformance/garden.js'
import { runCommand } from '../support/command.js'

const FIXTURE = join(import.meta.dirname, '../fixtures/garden.xml')

let dataDir: string
let file: string
beforeAll(async () => {
  dataDir = await gardenFolder()
  file = join(temporaryFolder(), 'file')
  writeFileSync(file, 'no folder')
})

describe('ends with one line and status 1', () => {
  test.each<[string, () => string[]]>([
    [
      'backup into a folder where nothing can be made',
      () => ['backup', '--data-dir', dataDir, '/proc/backup'],
    ],
    ['backup below a file', () => ['backup', '--data-dir', dataDir, join(file, 'backup')]],
    ['import into a file', () => ['import', '--data-dir', file, FIXTURE]],
    ['site set in a file', () => ['site', 'set', 'name', 'x', '--data-dir', file]],
    ['import where no folder can be made', () => ['import', '--data-dir', '/proc/none', FIXTURE]],
    ['site set where no folder can be made', () => ['site', 'set', 'name', 'x', '--data-dir', '/proc/none']],
    [
      'interwiki set where no folder can be made',
      () => ['interwiki', 'set', 'x', 'http://x.example/$1', '--data-dir', '/proc/none'],
    ],
    ['verify of a file', () => ['verify', '--data-dir', file]],
    ['stats of a file', () => ['stats', '--data-dir', file]],
    ['serve of a file', () => ['serve', '--data-dir', file, '--port', '0']],
    [
      'serve of a file with anonymous edits',
      () => ['serve', '--data-dir', file, '--port', '0', '--anonymous-edits'],
    ],
  ])('%s', (_case, line) => {
    const { status, out, err } = runCommand(line())
    expect(err).toMatch(/^palimpsest: .+\n$/)
    expect(out).toBe('')
    expect(status).toBe(1)
  })
})
