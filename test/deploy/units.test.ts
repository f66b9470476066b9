/** The systemd units of deploy/, checked by systemd itself. This checkout replaces the installation. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../conformance/garden.js'
import { COMMAND, runCommand } from '../support/command.js'

const REPOSITORY = join(import.meta.dirname, '../..')
const DEPLOY = join(REPOSITORY, 'deploy')
const UNITS = readdirSync(DEPLOY).filter((name) => /\.(service|timer)$/.test(name))
const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined

test.skipIf(isMissing)(`systemd finds no fault with ${UNITS.join(', ')} (needs systemd-analyze)`, () => {
  const folder = temporaryFolder()
  const paths = UNITS.map((name) => {
    const path = join(folder, name)
    writeFileSync(path, readFileSync(join(DEPLOY, name), 'utf8').replaceAll('/opt/palimpsest', REPOSITORY))
    return path
  })
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' })
  expect(stdout + stderr).toBe('')
  expect(status).toBe(0)
})

const settingOf = (unit: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(join(DEPLOY, unit), 'utf8'))?.[1] ?? ''

/** What keeps a service from the rest of the machine. V8 writes code, so MemoryDenyWriteExecute is not among it. */
const HARDENING = [
  ...[
    'NoNewPrivileges',
    'ProtectHome',
    'PrivateTmp',
    'PrivateDevices',
    'LockPersonality',
    'RestrictNamespaces',
  ],
  ...['ProtectControlGroups', 'ProtectKernelModules', 'ProtectKernelTunables', 'RestrictSUIDSGID'],
]

test.each(UNITS.filter((name) => name.endsWith('.service')))(
  '%s is kept from the rest of the machine',
  (unit) => {
    expect(HARDENING.map((name) => [name, settingOf(unit, name)])).toEqual(
      HARDENING.map((name) => [name, 'yes']),
    )
    expect(settingOf(unit, 'ProtectSystem')).toBe('strict')
    expect(settingOf(unit, 'CapabilityBoundingSet')).toBe('')
  },
)

/** Bits of a file's mode that let others than its owner and its group in. */
const OTHERS = 0o007

test.each(UNITS.filter((name) => name.endsWith('.service')))(
  'the store that %s works on is closed to other accounts of the machine',
  (unit) => {
    expect(parseInt(settingOf(unit, 'StateDirectoryMode'), 8) & OTHERS).toBe(0)
    const folder = temporaryFolder()
    const dump = join(REPOSITORY, 'test/fixtures/garden.xml')
    const script = `umask ${settingOf(unit, 'UMask')} && exec "$0" import --data-dir "$1" "$2"`
    const { status, stderr } = spawnSync('sh', ['-c', script, COMMAND, folder, dump], { encoding: 'utf8' })
    expect(status, stderr).toBe(0)
    const names = readdirSync(folder, { encoding: 'utf8', recursive: true })
    expect(names).toContain(join('store', 'data.mdb'))
    for (const name of names) expect([name, statSync(join(folder, name)).mode & OTHERS]).toEqual([name, 0])
  },
)

test('the backup unit makes a backup, checks it, and keeps as many as it says', { tags: ['slow'] }, () => {
  const [dataDir, backups] = [temporaryFolder(), temporaryFolder()]
  expect(
    runCommand(['import', '--data-dir', dataDir, join(REPOSITORY, 'test/fixtures/garden.xml')]).status,
  ).toBe(0)
  mkdirSync(join(backups, 'monday'))
  const unit = readFileSync(join(DEPLOY, 'palimpsest-backup.service'), 'utf8')
  const commands = [...unit.matchAll(/^ExecStart=(.*)$/gm)].map(([, line]) =>
    line!
      .replaceAll('/var/lib/palimpsest-backups', backups)
      .replaceAll('/var/lib/palimpsest', dataDir)
      .replaceAll('/opt/palimpsest', REPOSITORY),
  )
  const env = { ...process.env, BACKUPS_TO_KEEP: '2' }
  for (let night = 0; night < 3; night++) {
    const { status, stderr } = spawnSync('sh', ['-ec', commands.join('\n')], { encoding: 'utf8', env })
    expect(status, stderr).toBe(0)
  }
  const [first, second, ...others] = readdirSync(backups).toSorted()
  expect([first, second]).toEqual([expect.stringMatching(/Z$/), expect.stringMatching(/Z$/)])
  expect(others).toEqual(['latest', 'monday'])
})
