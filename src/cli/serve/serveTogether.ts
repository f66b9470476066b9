import { type Config, type GivenFlags, processCount } from '../../config/config.js'
import { opening, wikisOf } from '../../config/wikis.js'
import { openServerLog } from '../../app/logger.js'
import { Store } from '../../storage/store.js'
import { StartError } from '../../supervisor/startError.js'
import { Supervisor } from '../../supervisor/supervisor.js'
import { type GreetedWiki, greeting, samplePage } from './greeting.js'
import type { ServeSignals } from './signals.js'

/** Serves in several processes, with this one as their supervisor. */
export async function serveTogether(flags: GivenFlags, config: Config, signals: ServeSignals): Promise<void> {
  if (process.platform !== 'linux') throw new StartError('--processes 2 and more needs Linux')
  const wikis = await findSamplePages(config)
  const serverLog = openServerLog(config)
  const { log } = serverLog
  const supervisor = await Supervisor.open(flags, config, processCount(config.processes), serverLog)
  signals.onStop({ log, stop: () => supervisor.stop(), quit: () => supervisor.kill() })
  if (!(await supervisor.start())) return
  signals.onHangUp(() => void supervisor.renew())
  process.stdout.write(greeting(config, supervisor.port, wikis))
}

/** Opens the stores before the server processes do. A fault is then reported once, and a new store created once. */
async function findSamplePages(config: Config): Promise<GreetedWiki[]> {
  const wikis: GreetedWiki[] = []
  for (const settings of wikisOf(config)) {
    const { dataDir, anonymousEdits } = settings.config
    const store = await opening(settings, () => Store.open(dataDir, { create: anonymousEdits }))
    wikis.push({ ...settings, pageKey: samplePage(store) })
    await store.close()
  }
  return wikis
}
