/** `palimpsest serve`: runs a server, or several under a supervisor, until a signal stops it. */
import { isatty } from 'node:tty'
import type { Command } from 'commander'
import type { App } from '../app.js'
import {
  addSettings,
  type Config,
  type GivenFlags,
  givenFlags,
  processCount,
  readSettings,
} from '../config/config.js'
import { Store } from '../storage/store.js'
import { StartError } from '../supervisor/startError.js'
import { greeting, samplePage } from './serve/greeting.js'
import { addExamples } from './help.js'
import { endByHangUp, ServeSignals } from './serve/signals.js'

const STDIN = 0
const SERVE_EXAMPLE = 'palimpsest serve --processes auto --trusted-proxies 127.0.0.1'

/** Adds the command to the program. `signals` is present when start.ts has already taken over the signals. */
export function addServeCommand(program: Command, signals: ServeSignals | undefined): void {
  const command = program
    .command('serve')
    .summary('serve a wiki over HTTP')
    .description(
      'Serve the wiki in the data folder over HTTP until SIGTERM or SIGINT.\n' +
        'With --processes auto, or 2 and more, SIGHUP renews the server processes one by one.',
    )
  addSettings(command, 'serve')
  addExamples(command, [
    ['several processes, behind a proxy on this machine', SERVE_EXAMPLE],
    [
      'an empty wiki that everybody may edit, at http://127.0.0.1:8080',
      'palimpsest serve --data-dir new --anonymous-edits',
    ],
  ])
  command.action(async () => {
    const taken = signals ?? new ServeSignals()
    const flags = givenFlags(command)
    const config = readSettings(flags)
    // Also with one processor under `auto`: only a supervised server can renew its processes.
    const isSupervised =
      processCount(config.processes) > 1 || (config.processes === 'auto' && process.platform === 'linux')
    await (isSupervised ? serveTogether(flags, config, taken) : serveAlone(config, taken))
  })
}

/** Serves in this process. */
async function serveAlone(config: Config, signals: ServeSignals): Promise<void> {
  const app = await openApp(config)
  const { log, store, writer } = app.context
  signals.onStop({
    log,
    stop: () => app.close().then(() => true),
    quit: () => {
      if (writer.holdsUp) process.kill(process.pid, 'SIGKILL')
    },
  })
  // When the terminal closes, the server ends, like other programs.
  if (isatty(STDIN)) signals.onHangUp(endByHangUp)
  else
    signals.onHangUp(() =>
      log.warn(
        'SIGHUP renews processes only under --processes auto, or 2 and more: restart the server instead',
      ),
    )
  app.warm()
  process.stdout.write(greeting(config, app.port, samplePage(store)))
}

/** Serves in several processes, with this one as their supervisor. */
async function serveTogether(flags: GivenFlags, config: Config, signals: ServeSignals): Promise<void> {
  if (process.platform !== 'linux') throw new StartError('--processes 2 and more needs Linux')
  const pageKey = await findSamplePage(config)
  const { openLog } = await import('../logger.js')
  const { Supervisor } = await import('../supervisor/supervisor.js')
  const log = openLog(config)
  const supervisor = await Supervisor.open(flags, config, processCount(config.processes), log)
  signals.onStop({ log, stop: () => supervisor.stop(), quit: () => supervisor.kill() })
  if (!(await supervisor.start())) return
  signals.onHangUp(() => void supervisor.renew())
  process.stdout.write(greeting(config, supervisor.port, pageKey))
}

/** Loads the server on demand: other commands start in half the time without it. */
async function openApp(config: Config): Promise<App> {
  const { App, ListenError } = await import('../app.js')
  return App.open(config).catch((error: unknown) => {
    throw error instanceof ListenError ? new StartError(error.message, { cause: error }) : error
  })
}

/** Opens the store before the server processes do. A fault is then reported once, and a new store created once. */
async function findSamplePage({ dataDir, anonymousEdits }: Config): Promise<string | undefined> {
  const store = Store.open(dataDir, { create: anonymousEdits })
  try {
    return samplePage(store)
  } finally {
    await store.close()
  }
}
