/** Chooses the HTTP library: uWebSockets.js when its binary loads, else `node:http`, which runs everywhere. */
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { ListenError, type MakeDriver } from './driver.js'

/** Loads the configured library. Throws a ListenError when the setting requires uWebSockets.js and it does not load. */
export async function loadDriver(choice: Config['http'], log: Logger): Promise<MakeDriver> {
  if (choice === 'node') return loadNode()
  try {
    return await loadUws()
  } catch (error) {
    const { version, platform, arch } = process
    const missing = `uWebSockets.js has no binary that loads in Node ${version} on ${platform} ${arch}`
    if (choice === 'uws') throw new ListenError(`${missing}: use --http node`, { cause: error })
    log.warn(
      { err: error },
      `${missing}: node:http serves, at a fraction of the speed; --http node spares this line`,
    )
    return loadNode()
  }
}

async function loadUws(): Promise<MakeDriver> {
  const { UwsDriver } = await import('./uws/uwsDriver.js')
  return (handlers) => new UwsDriver(handlers)
}

async function loadNode(): Promise<MakeDriver> {
  const { NodeDriver } = await import('./node/nodeDriver.js')
  return (handlers) => new NodeDriver(handlers)
}
