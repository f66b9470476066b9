/** How much tests try that try the same thing over and over: `THOROUGH=1`, which `make thorough` sets, asks for all of it. */

const isThorough = process.env['THOROUGH'] === '1'

/** The number of rounds: all of them, or as many as a run of all tests has time for. */
export function rounds(thorough: number, usual: number): number {
  return isThorough ? thorough : usual
}
