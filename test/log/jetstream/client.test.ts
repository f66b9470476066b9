/** The packages of the NATS client are optional. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from '../../../build.mjs'
import { INSTALL_COMMAND } from '../../../src/log/jetstream/client.js'
import { folderOfFile } from '../../support/cleanUp.js'

const ROOT = join(import.meta.dirname, '../../..')

test('the command that installs them names the versions of package.json', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const named = INSTALL_COMMAND.split(' ').filter((word) => word.startsWith('@'))
  const wanted = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@nats-io/'))
  expect(named.sort()).toEqual(wanted.map(([name, version]) => `${name}@${version}`).sort())
})

test('without them, an address of NATS is refused with that command', async () => {
  const folder = folderOfFile()
  await bundle({ engine: join(ROOT, 'src/log/jetstream/jetStreamEngine.ts') }, folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const script = `
    const { openJetStreamEngine } = await import('./engine.js')
    await openJetStreamEngine('nats://127.0.0.1').catch(({ name, message }) => console.log(name + ': ' + message))`
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(text.trim()).toBe(
    `UnusableEngineError: the packages for NATS are not installed: run \`${INSTALL_COMMAND}\``,
  )
})
