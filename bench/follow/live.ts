/**
 * Follows a live MediaWiki: 60 changes while the mirror polls each second, then 50 while it is stopped. Needs PHP with
 * SQLite, and the folder of a MediaWiki, such as that of Debian's package "mediawiki". Says so and ends without them.
 *
 *     MEDIAWIKI=/usr/share/mediawiki node bench/results/build/bench/follow/live.js
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Store } from '../../src/storage/store.js'
import { freePort } from '../support/ports.js'
import { PALIMPSEST } from '../support/repository.js'
import { writeResult } from '../support/results.js'
import { Sandbox } from '../support/sandbox.js'
import { LiveWiki } from './liveWiki.js'

const SOURCE = process.env['MEDIAWIKI'] ?? '/usr/share/mediawiki'
const PASSWORD = 'a long password for the bench'
const EQUAL_WITHIN_MS = 5000
const GIVE_UP_MS = 60_000
const RIGHTS = `
$wgGroupPermissions['sysop']['deleterevision'] = true;
$wgGroupPermissions['sysop']['deletelogentry'] = true;
$wgRateLimits = [];
`

/** Undefined, with a message, without what it needs. */
async function startWiki(sandbox: Sandbox): Promise<{ url: string; server: ChildProcess } | undefined> {
  if (!existsSync(join(SOURCE, 'maintenance/install.php'))) {
    console.log(`${SOURCE} has no MediaWiki: not measured. Set MEDIAWIKI to its folder.`)
    return undefined
  }
  const folder = sandbox.folder('live-')
  const skips = ['LocalSettings.php', 'config', 'extensions', 'images'].map((name) => join(SOURCE, name))
  cpSync(SOURCE, join(folder, 'w'), {
    recursive: true,
    dereference: true,
    filter: (path) => !skips.includes(path),
  })
  for (const name of ['images', 'extensions', 'cache', '../db'])
    mkdirSync(join(folder, 'w', name), { recursive: true })
  const port = await freePort()
  const install = [
    'maintenance/install.php',
    '--dbtype',
    'sqlite',
    '--dbpath',
    join(folder, 'db'),
    '--pass',
    PASSWORD,
  ]
  const address = ['--server', `http://127.0.0.1:${port}`, '--scriptpath', '', 'Live wiki', 'Admin']
  const installed = spawnSync('php', [...install, ...address], { cwd: join(folder, 'w'), encoding: 'utf8' })
  if (installed.status !== 0) {
    console.log(
      `MediaWiki cannot be installed: not measured.\n${(installed.stdout + installed.stderr).slice(-500)}`,
    )
    return undefined
  }
  appendFileSync(join(folder, 'w/LocalSettings.php'), RIGHTS)
  const env = { ...process.env, PHP_CLI_SERVER_WORKERS: '2' }
  const server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', '.'], {
    cwd: join(folder, 'w'),
    stdio: 'ignore',
    env,
    detached: true,
  })
  await sleep(1000)
  return { url: `http://127.0.0.1:${port}/api.php`, server }
}

const startMirror = (dataDir: string, url: string): ChildProcess =>
  spawn(
    PALIMPSEST,
    ['follow', '--data-dir', dataDir, '--upstream', url, '--interval', '1s', '--log-level', 'warn'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )

async function stop(mirror: ChildProcess): Promise<void> {
  const exit = once(mirror, 'exit')
  mirror.kill('SIGTERM')
  const [status] = (await exit) as [number | null]
  if (status !== 0) throw new Error(`the follower ended with status ${status}`)
}

/** Milliseconds since a moment when the mirror shows the same pages, revisions and texts. */
async function untilEqual(store: Store, wiki: LiveWiki, began: number): Promise<number> {
  const wanted = JSON.stringify(await wiki.pages())
  for (; ; await sleep(50)) {
    if (JSON.stringify(pagesIn(store)) === wanted) return performance.now() - began
    if (performance.now() - began > GIVE_UP_MS)
      throw new Error(`wanted ${wanted}, got ${JSON.stringify(pagesIn(store))}`)
  }
}

function pagesIn(store: Store): object[] {
  store.refresh()
  return [...store.mirror.pageIds()].map((id) => {
    const page = store.getPageById(id)!
    const { revisions } = store.listRevisions(id, { limit: 500 })
    return {
      id,
      title: page.dbkey,
      latest: page.latestId,
      revisions: revisions
        .map((row) => (JSON.parse(row.toString()) as { id: number }).id)
        .sort((a, b) => a - b),
      text: store.getText(page.latestId) ?? null,
    }
  })
}

async function measure(sandbox: Sandbox): Promise<void> {
  const started = await startWiki(sandbox)
  if (started === undefined) return
  const { url, server } = started
  try {
    const wiki = await LiveWiki.logIn(url, 'Admin', PASSWORD)
    const dataDir = sandbox.folder('mirror-')
    const filled = spawnSync(PALIMPSEST, ['follow', '--data-dir', dataDir, '--upstream', url, '--once'], {
      encoding: 'utf8',
    })
    if (filled.status !== 0) throw new Error(filled.stderr)
    const store = Store.open(dataDir)
    let mirror = startMirror(dataDir, url)
    for (let n = 0; n < 60; n++) await wiki.change(n)
    const equalMs = await untilEqual(store, wiki, performance.now())
    await stop(mirror)
    for (let n = 60; n < 110; n++) await wiki.change(n)
    mirror = startMirror(dataDir, url)
    const afterStopMs = await untilEqual(store, wiki, performance.now())
    await stop(mirror)
    await store.close()
    const check = spawnSync(PALIMPSEST, ['follow', '--data-dir', dataDir, '--check'], { encoding: 'utf8' })
    const differences = check.stdout.split('\n')[0]
    console.log(
      `equal ${Math.round(equalMs)} ms after 60 changes, ${Math.round(afterStopMs)} ms after the start with 50 more`,
    )
    console.log(
      `a check afterwards: ${differences}; ${Object.entries(wiki.kinds)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ')}`,
    )
    console.log(`Aim: ${EQUAL_WITHIN_MS} ms, and 0 differences.`)
    const figures = { equalMs, afterStopMs, differences }
    writeResult('live', {
      setup: { changes: 60, missed: 50, kinds: wiki.kinds },
      samples: [figures],
      summary: figures,
    })
  } finally {
    process.kill(-server.pid!, 'SIGTERM')
  }
}

const sandbox = new Sandbox()
try {
  await measure(sandbox)
} finally {
  await sandbox.close()
}
