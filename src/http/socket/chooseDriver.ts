/** Chooses the HTTP library: uWebSockets.js where a sound binary loads, else `node:net`, which runs on every Node. */
import type { Config } from '../../config/config.js'
import { canSharePorts, ListenError, type MakeDriver } from './driver.js'

/** What the choice depends on. */
interface DriverNeeds {
  readonly http: Config['http']
  /** Whether several processes share the port. */
  readonly isShared: boolean
}

interface DriverChoice {
  readonly makeDriver: MakeDriver
  /** The library and the reason for it, in a sentence for the log. */
  readonly why: string
  /** Whether the operator should know of a fault of the library. */
  readonly isUnsound: boolean
}

const FAULT = 'its binary answers 505 when the first line of a request comes in two segments'

/** Loads the library that the setting names, or the better one. Throws a ListenError when `uws` does not load. */
export async function chooseDriver({ http, isShared }: DriverNeeds): Promise<DriverChoice> {
  if (http === 'net') return loadNet('as --http says')
  const { version, platform, arch } = process
  const missing = `uWebSockets.js has no binary that loads in Node ${version} on ${platform} ${arch}`
  const uws = await import('./uws/uwsDriver.js').catch((error: unknown) => {
    if (http !== 'uws') return undefined
    throw new ListenError(`${missing}: use --http net`, { cause: error })
  })
  if (uws === undefined) return loadNet(missing)
  const isUnsound = !(await uws.answersCutRequest())
  const sharesByUws = isShared && !canSharePorts()
  if (isUnsound && http === 'auto' && !sharesByUws) return loadNet(`uWebSockets.js is here, but ${FAULT}`)
  const reason = isUnsound ? `although ${FAULT}` : 'a sound binary loads'
  const shares = sharesByUws ? '; processes that share a port by node:net need Node 22.12' : ''
  return {
    makeDriver: (handlers) => new uws.UwsDriver(handlers),
    why: `uWebSockets.js serves: ${reason}${shares}`,
    isUnsound,
  }
}

async function loadNet(reason: string): Promise<DriverChoice> {
  const { NetDriver } = await import('./net/netDriver.js')
  const why = `node:net serves: ${reason}`
  return { makeDriver: (handlers) => new NetDriver(handlers), why, isUnsound: false }
}
