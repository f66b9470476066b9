/** Image and compose file. No engine runs here: what they name is looked at, and their programs are run without one. */
// @module-tag slow
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../../src/config/settings.js'
import { DumpApplier } from '../support/store.js'
import { Store } from '../../src/storage/store.js'
import { page, revision } from '../conformance/busyWiki.js'
import { startGarden, startServer, temporaryFolder } from '../conformance/garden.js'
import { afterFile } from '../support/cleanUp.js'
import { isInstalled } from './proxies.js'

const REPOSITORY = join(import.meta.dirname, '../..')
const DEPLOY = join(REPOSITORY, 'deploy')
const compose = readFileSync(join(DEPLOY, 'compose.yml'), 'utf8')
const dockerfile = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8')

/** The exit status of the health check of a server at a port. */
async function healthOf(port: number): Promise<number> {
  const env = { PATH: process.env['PATH'] ?? '', PALIMPSEST_PORT: String(port) }
  const check = spawn(join(DEPLOY, 'healthcheck'), { env, stdio: 'ignore' })
  const [status] = (await once(check, 'close')) as [number]
  return status
}

describe('the health check', () => {
  test('is well while the server should get requests, and not when nothing listens', async () => {
    const garden = await startGarden()
    expect(await healthOf(garden.port)).toBe(0)
    await garden.app.close()
    expect(await healthOf(garden.port)).toBe(1)
  })

  test('is not well while the first import is under way', async () => {
    const dataDir = temporaryFolder()
    await Store.open(dataDir, { create: true }).close()
    const server = await startServer(dataDir)
    new DumpApplier(server.app.context.store).importPages('first', [page(1, 'Moon', [revision(1, 'text')])])
    expect(await healthOf(server.port)).toBe(1)
  })

  test('is not well when whatever listens says nothing and closes', async () => {
    const mute = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    afterFile(() => void mute.close())
    const address = mute.address()
    expect(await healthOf(typeof address === 'object' ? address!.port : 0)).not.toBe(0)
  })

  test('starts no Node', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["deploy\/healthcheck"\]$/m)
  })
})

describe('the image', () => {
  test('copies what there is, and what .dockerignore lets in', () => {
    const ignored = readFileSync(join(REPOSITORY, '.dockerignore'), 'utf8')
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) =>
      names!.split(' '),
    )
    expect(copied).toContain('deploy/healthcheck')
    for (const name of copied) {
      expect(existsSync(join(REPOSITORY, name)), name).toBe(true)
      expect(ignored).toContain(`!${name}\n`)
    }
  })
})

describe('the compose file', () => {
  test('mounts files that there are', () => {
    const mounted = [...compose.matchAll(/^ +- (\.\/[^:]+):/gm)].map(([, path]) => path!)
    expect(mounted).toHaveLength(6)
    for (const path of mounted) expect(existsSync(join(DEPLOY, path)), path).toBe(true)
  })

  test('names versions of images', () => {
    const images = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image!)
    expect(images).toHaveLength(3)
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+\.\d+/)
  })

  test('gives a server the time that it takes to stop', () => {
    const [, seconds] = /^ +stop_grace_period: (\d+)s$/m.exec(compose) ?? []
    expect(Number(seconds) * 1000).toBeGreaterThan(SETTINGS.drainTimeoutMs.default + 10_000)
  })

  test.skipIf(!isInstalled('nginx'))('makes a configuration that nginx takes (needs nginx)', () => {
    const folder = temporaryFolder()
    // The command, with paths and a host name of this machine. It checks the configuration instead of starting.
    const command = /- >-\n([^]*?)\n\n/
      .exec(compose)![1]!
      .replaceAll('/tmp', folder)
      .replaceAll('/shipped', DEPLOY)
      .replace('palimpsest:8080', 'localhost:8080')
      .replace('exec nginx', 'exec nginx -t')
      .replace(/\s+/g, ' ')
    writeFileSync(join(folder, 'command'), command)
    const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', env })
    expect(status, stderr).toBe(0)
    const made = readFileSync(join(folder, 'nginx.conf'), 'utf8')
    expect(made).toContain('listen 8080;')
    expect(made).toContain('server localhost:8080 max_fails=0;')
    expect(made).not.toContain('127.0.0.1:80')
  })
})
