/**
 * Effort of tests that repeat the same attempt many times. `THOROUGH=1`, which `make thorough` sets, asks for the full
 * effort.
 */

const isThorough = process.env['THOROUGH'] === '1'

/** The number of rounds: all of them, or as many as a run of all tests has time for. */
export function rounds(thorough: number, usual: number): number {
  return isThorough ? thorough : usual
}
