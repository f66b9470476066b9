/** `make install` into a folder, and the program that is there then. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { send, temporaryFolder } from '../conformance/garden.js'
import { portOf, ADDRESS, runProgram } from '../support/command.js'

const REPOSITORY = join(import.meta.dirname, '../..')
const PREFIX = '/srv/palimpsest'

let destination: string
beforeAll(() => {
  destination = join(temporaryFolder(), 'destination')
  // A second time, over what is there and what a version before has left.
  for (let n = 0; n < 2; n++) {
    const { status, stderr } = install()
    expect(status, stderr).toBe(0)
    if (n === 0) writeFileSync(join(destination, PREFIX, 'dist/left.js'), '')
  }
})

function install(): { status: number | null; stderr: string } {
  const values = [`DESTDIR=${destination}`, `PREFIX=${PREFIX}`]
  return spawnSync('make', ['install', ...values], { cwd: REPOSITORY, encoding: 'utf8' })
}

describe('make install', () => {
  test('gives a program that imports, serves and makes HTML', async () => {
    const command = join(destination, PREFIX, 'bin/palimpsest')
    const dataDir = temporaryFolder()
    const dump = join(REPOSITORY, 'test/fixtures/garden.xml')
    const imported = spawnSync(command, ['import', '--data-dir', dataDir, dump], { encoding: 'utf8' })
    expect(imported.status, imported.stderr).toBe(0)
    const server = runProgram(command, 'serve', '--data-dir', dataDir, '--port', '0')
    const port = portOf(await server.printed(ADDRESS))
    expect((await send(port, '/v1/page/Compost/html', {})).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
  })

  test('leaves out what is only needed to develop, and what an earlier version left', () => {
    const packages = readdirSync(join(destination, PREFIX, 'node_modules'))
    expect(packages).toContain('lmdb')
    for (const name of ['vitest', 'typescript', 'eslint']) expect(packages).not.toContain(name)
    expect(existsSync(join(destination, PREFIX, 'dist/left.js'))).toBe(false)
  })

  test('puts units where systemd looks, which name the place of the program', () => {
    const folder = join(destination, 'etc/systemd/system')
    const units = readdirSync(folder)
    expect(units.toSorted()).toEqual([
      'palimpsest-backup.service',
      'palimpsest-backup.timer',
      'palimpsest-follow.service',
      'palimpsest.service',
    ])
    for (const unit of units) {
      const text = readFileSync(join(folder, unit), 'utf8')
      expect(text).not.toContain('/opt/palimpsest')
      expect(statSync(join(folder, unit)).mode & 0o777).toBe(0o644)
    }
    expect(readFileSync(join(folder, 'palimpsest.service'), 'utf8')).toContain(
      `ExecStart=${PREFIX}/bin/palimpsest serve`,
    )
  })

  test('puts completions where the shells look, as the program makes them', () => {
    const command = join(destination, PREFIX, 'bin/palimpsest')
    for (const [shell, path] of [
      ['bash', 'bash-completion/completions/palimpsest'],
      ['zsh', 'zsh/site-functions/_palimpsest'],
      ['fish', 'fish/vendor_completions.d/palimpsest.fish'],
    ] as const) {
      const { stdout } = spawnSync(command, ['completion', shell], { encoding: 'utf8' })
      expect(readFileSync(join(destination, 'usr/local/share', path), 'utf8')).toBe(stdout)
    }
  })

  test('names the account that the units run under', () => {
    const users = readFileSync(join(destination, 'etc/sysusers.d/palimpsest.conf'), 'utf8')
    const [, name] = /^u (\S+) /m.exec(users) ?? []
    const unit = readFileSync(join(destination, 'etc/systemd/system/palimpsest.service'), 'utf8')
    expect(unit).toContain(`\nUser=${name}\n`)
  })
})
