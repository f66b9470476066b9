/** The access log, as a server writes it to a file or to standard output. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { AccessLog, openAccessLog } from '../../src/http/access/accessLog.js'
import { SettingError } from '../../src/config/config.js'
import { openLog, openServerLog } from '../../src/app/logger.js'
import { ADDRESS, NO_HTML, portOf, run } from '../support/command.js'
import { gardenFolder, send, startGarden, temporaryFolder, type TestServer } from './garden.js'

type Line = Record<string, unknown>

const newFile = (): string => join(temporaryFolder(), 'access.log')
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)

/** A server with an access log, and a way to stop it and read what it has logged. */
async function startLogged(flags: Record<string, string> = {}): Promise<{
  garden: TestServer
  logged: () => Promise<string[]>
}> {
  const file = newFile()
  const garden = await startGarden({ accessLog: 'json', accessLogFile: file, ...flags })
  return {
    garden,
    logged: async () => {
      await garden.app.close()
      return linesOf(readFileSync(file, 'utf8'))
    },
  }
}

describe('the access log', () => {
  test('has a line for each request: ready answers, conditions, HEAD, errors, what a thread makes', async () => {
    const { garden, logged } = await startLogged()
    const page = '/v1/page/Compost'
    for (let n = 0; n < 3; n++) await garden.send(page)
    const { bytes, headers } = await garden.send(page)
    await garden.send(page, { headers: { 'if-none-match': String(headers['etag']) } })
    await garden.send(page, { method: 'HEAD' })
    const lost = await garden.send('/v1/page/Nowhere?a=b')
    const compared = await garden.send('/v1/revision/101/compare/102')
    const lines = (await logged()).map((line) => JSON.parse(line) as Line)
    const plain = { client: '127.0.0.1', method: 'GET', url: page, status: 200, bytes: bytes.length }
    expect(lines).toMatchObject([
      plain,
      plain,
      plain,
      plain,
      { ...plain, status: 304, bytes: 0 },
      { ...plain, method: 'HEAD', bytes: 0 },
      { ...plain, url: '/v1/page/Nowhere?a=b', status: 404, bytes: lost.bytes.length },
      { ...plain, url: '/v1/revision/101/compare/102', bytes: compared.bytes.length },
    ])
    expect(lines.map(({ requestId }) => requestId).slice(-2)).toEqual([
      lost.headers['x-request-id'],
      compared.headers['x-request-id'],
    ])
    for (const { ms, time } of lines) {
      expect(typeof ms).toBe('number')
      expect(new Date(String(time)).toISOString()).toBe(time)
    }
  })

  test('tells who asked: address and id as a trusted proxy gives them, program and page', async () => {
    const { garden, logged } = await startLogged({ trustedProxies: '127.0.0.1' })
    const headers = {
      'X-Request-Id': 'from-the-proxy',
      'X-Forwarded-For': '203.0.113.9, 2001:db8::7',
      'User-Agent': 'test "1"',
      Referer: 'https://wiki.example/?token=abc',
    }
    await garden.send('/v1/page/Compost', { headers })
    expect((await logged()).map((line) => JSON.parse(line) as Line)).toMatchObject([
      {
        requestId: 'from-the-proxy',
        client: '2001:DB8:0:0:0:0:0:7',
        userAgent: 'test "1"',
        referer: 'https://wiki.example/?token=***',
      },
    ])
  })

  test('has no secrets', async () => {
    const { garden, logged } = await startLogged()
    const headers = { Authorization: 'Bearer plmp_swordfish', Cookie: 'session=swordfish' }
    await garden.send('/api.php?action=login&lgname=Ann&lgpassword=swordfish&lgtoken=swordfish', { headers })
    const [line] = await logged()
    expect(line).toContain('lgname=Ann&lgpassword=***&lgtoken=***')
    expect(line).not.toContain('swordfish')
  })

  test('speaks the combined format', async () => {
    const { garden, logged } = await startLogged({ accessLog: 'combined' })
    const { bytes } = await garden.send('/v1/page/Compost', { headers: { 'User-Agent': 'a"b' } })
    expect(await logged()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^127\\.0\\.0\\.1 - - \\[\\d\\d/[A-Z][a-z]{2}/\\d{4}(:\\d\\d){3} \\+0000\\] "GET /v1/page/Compost HTTP/1\\.1" 200 ${bytes.length} "-" "a\\\\x22b"$`,
        ),
      ),
    ])
  })

  test('goes on in a new file when the old one is moved away', async () => {
    const file = newFile()
    const garden = await startGarden({ accessLog: 'json', accessLogFile: file })
    await garden.send('/v1/page/Compost')
    await expect.poll(() => linesOf(readFileSync(file, 'utf8'))).toHaveLength(1)
    renameSync(file, `${file}.1`)
    await expect.poll(() => existsSync(file)).toBe(true)
    await garden.send('/v1/page/Mulch')
    await garden.app.close()
    expect(readFileSync(`${file}.1`, 'utf8')).toContain('/v1/page/Compost')
    expect(readFileSync(file, 'utf8')).toContain('/v1/page/Mulch')
  })

  test('is readable by its owner and its group alone', async () => {
    const file = newFile()
    const garden = await startGarden({ accessLog: 'json', accessLogFile: file })
    await garden.app.close()
    expect(statSync(file).mode & 0o027).toBe(0)
  })

  test('that cannot be opened stops the start', () => {
    const settings = { accessLog: 'json', accessLogFile: '/nonexistent/access.log' } as const
    const log = openLog({ logLevel: 'silent' })
    expect(() => openAccessLog(settings, log)).toThrow(SettingError)
    expect(() => openAccessLog(settings, log)).toThrow(/accessLogFile: ENOENT.*\/nonexistent\/access\.log/)
  })

  test('drops and counts what a disk does not take', async () => {
    // All writes to this file fail, as on a full disk.
    const logged: string[] = []
    const write = (line: string): unknown => logged.push(line)
    const { log } = openServerLog({ logLevel: 'error' }, undefined, { write })
    const accessLog = new AccessLog('json', '/dev/full', log)
    const visit = { timeMs: 0, requestId: 'a', client: 'b', ms: 1, referer: '', userAgent: '' }
    const url = `/${'x'.repeat(1000)}`
    const served = accessLog.served({ method: 'GET', url, status: 200, bytes: 1 })
    const LINES = 20_000
    for (let n = 0; n < LINES; n++) accessLog.add(visit, served)
    await accessLog.close()
    const [dropped] = accessLog.figures()
    expect(dropped).toMatchObject({ name: 'palimpsest_access_log_dropped_total' })
    // 8 MiB of them may wait.
    expect(dropped!.values[0]!.value).toBeGreaterThan(LINES / 2)
    expect(dropped!.values[0]!.value).toBeLessThan(LINES)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('the access log cannot be written')
  })

  test('has long lines whole on standard output, too', () => {
    const module = join(import.meta.dirname, '../../dist/.test/modules.js')
    const script = `
      const { AccessLog } = await import(${JSON.stringify(pathToFileURL(module).href)})
      const log = new AccessLog('json', '-', undefined)
      const visit = { timeMs: 0, requestId: 'a', client: 'b', ms: 1, referer: '', userAgent: '' }
      for (const url of ['/a', '/' + '\\x01'.repeat(1499), '/b'])
        log.add(visit, log.served({ method: 'GET', url, status: 200, bytes: 1 }))
      await log.close()`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    const lines = linesOf(stdout)
    expect(lines[1]!.length).toBeGreaterThan(8000)
    expect(lines.map((line) => (JSON.parse(line) as Line)['url'])).toEqual([
      '/a',
      `/${'\x01'.repeat(1499)}`,
      '/b',
    ])
  })

  test(
    'of several processes on standard output has whole lines, and all of them',
    { tags: ['slow'] },
    async () => {
      // Node 20 shares ports by uWebSockets.js alone.
      const flags = ['--processes', '2', '--access-log', 'json', '--http', 'auto', NO_HTML]
      const server = run('serve', '--data-dir', await gardenFolder(), '--port', '0', ...flags)
      const port = portOf(await server.printed(ADDRESS))
      const READS = 400
      const long = `/v1/page/${'x'.repeat(900)}`
      await Promise.all(Array.from({ length: READS }, (_, n) => send(port, `${long}${n}`, {})))
      server.child.kill('SIGTERM')
      expect(await server.exit).toBe(0)
      const lines = linesOf(server.output.stdout).filter((line) => line.startsWith('{'))
      const urls = lines.map((line) => (JSON.parse(line) as { url: string }).url)
      expect(new Set(urls).size).toBe(READS)
    },
  )

  test('is off unless asked for', async () => {
    const server = run('serve', '--data-dir', await gardenFolder(), '--port', '0', NO_HTML)
    const port = portOf(await server.printed(ADDRESS))
    await send(port, '/v1/page/Compost', {})
    server.child.kill('SIGTERM')
    expect(await server.exit).toBe(0)
    expect(server.output.stdout).not.toContain('/v1/page/Compost"')
  })
})
