import type { Pair } from '../rows/keys.js'

/** Key of the log row at a position, from 1. */
export const logKey = (sequence: number): Pair => [Math.floor(sequence / 2 ** 32), sequence % 2 ** 32]
