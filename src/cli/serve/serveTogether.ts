import { type Config, type GivenFlags, processCount } from '../../config/config.js'
import { openLog } from '../../logger.js'
import { Store } from '../../storage/store.js'
import { StartError } from '../../supervisor/startError.js'
import { Supervisor } from '../../supervisor/supervisor.js'
import { greeting, samplePage } from './greeting.js'
import type { ServeSignals } from './signals.js'

/** Serves in several processes, with this one as their supervisor. */
export async function serveTogether(flags: GivenFlags, config: Config, signals: ServeSignals): Promise<void> {
  if (process.platform !== 'linux') throw new StartError('--processes 2 and more needs Linux')
  const pageKey = await findSamplePage(config)
  const log = openLog(config)
  const supervisor = await Supervisor.open(flags, config, processCount(config.processes), log)
  signals.onStop({ log, stop: () => supervisor.stop(), quit: () => supervisor.kill() })
  if (!(await supervisor.start())) return
  signals.onHangUp(() => void supervisor.renew())
  process.stdout.write(greeting(config, supervisor.port, pageKey))
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
