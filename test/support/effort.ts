/**
 * Effort of tests that repeat the same attempt many times. `THOROUGH=1`, which `make thorough` sets, asks for the full
 * effort. The fast tier makes a quarter of the usual one.
 */
import { TIER } from './tiers.js'

const isThorough = process.env['THOROUGH'] === '1'

/** The number of rounds: all of them, or as many as a run of all tests has time for. */
export function rounds(thorough: number, usual: number): number {
  if (isThorough) return thorough
  return TIER === 'fast' ? Math.ceil(usual / 4) : usual
}
