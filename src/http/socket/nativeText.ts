import type { Ascii } from './driver.js'

/** ASCII text in the form that native calls take fastest: as an ArrayBuffer, in a third of the time of a string. */
export const asciiBuffer = (text: string): ArrayBuffer => new Uint8Array(Buffer.from(text, 'latin1')).buffer

export const asciiText = (text: Ascii): string =>
  typeof text === 'string' ? text : Buffer.from(text).toString('latin1')
