import { isatty } from 'node:tty'
import { App, ListenError } from '../../app/app.js'
import type { Config } from '../../config/config.js'
import { wikisOf } from '../../config/wikis.js'
import { StartError } from '../../supervisor/startError.js'
import { greeting, samplePage } from './greeting.js'
import { endByHangUp, type ServeSignals } from './signals.js'

const STDIN = 0

/** Serves in this process. */
export async function serveAlone(config: Config, signals: ServeSignals): Promise<void> {
  const app = await openApp(config)
  const { log, contexts } = app
  signals.onStop({
    log,
    stop: () => app.close().then(() => true),
    quit: () => {
      if (contexts.some(({ writer }) => writer.holdsUp)) process.kill(process.pid, 'SIGKILL')
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
  const wikis = wikisOf(config).map((wiki, n) => ({ ...wiki, pageKey: samplePage(contexts[n]!.store) }))
  process.stdout.write(greeting(config, app.port, wikis))
}

function openApp(config: Config): Promise<App> {
  return App.open(config).catch((error: unknown) => {
    throw error instanceof ListenError ? new StartError(error.message, { cause: error }) : error
  })
}
