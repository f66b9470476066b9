/** Whether a binary of uWebSockets.js loads on this Node and system. Apart, since it loads one. */
import { createRequire } from 'node:module'

const OLDER: string = 'uws-pack'

export const LOADS_UWS: boolean =
  isThere() ||
  (await import(OLDER).then(
    () => true,
    () => false,
  ))

/** An import() of the package that fails would end a process of Node 20. */
function isThere(): boolean {
  try {
    createRequire(import.meta.url)('uWebSockets.js')
    return true
  } catch {
    return false
  }
}
