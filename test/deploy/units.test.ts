/** The systemd units of deploy/, read by systemd itself, with this checkout in the place of the installation. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../conformance/garden.js'

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
