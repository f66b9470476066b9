/**
 * Zones that `#time` knows by an abbreviation: seconds ahead of UTC, by the name in lower case. A single letter is a
 * military zone.
 */
import { HOUR } from './wallTime.js'

const HOURS_AHEAD: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  uct: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  met: 1,
  wat: 1,
  cest: 2,
  mest: 2,
  cat: 2,
  eet: 2,
  ist: 2,
  sast: 2,
  eest: 3,
  eat: 3,
  msk: 3,
  msd: 4,
  pkt: 5,
  hkt: 8,
  awst: 8,
  jst: 9,
  kst: 8.5,
  acst: 9.5,
  acdt: 10.5,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  nst: -3.5,
  ast: -4,
  adt: -3,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  akst: -9,
  akdt: -8,
  hst: -10,
}
const EAST = 'abcdefghiklm'
const WEST = 'nopqrstuvwxy'

export const ZONE_OFFSETS: ReadonlyMap<string, number> = new Map([
  ['z', 0],
  ...Object.entries(HOURS_AHEAD).map(([name, hours]): [string, number] => [name, hours * HOUR]),
  ...[...EAST].map((letter, index): [string, number] => [letter, (index + 1) * HOUR]),
  ...[...WEST].map((letter, index): [string, number] => [letter, -(index + 1) * HOUR]),
])
