/** How a follower treats a wiki: it names itself, and waits after faults. */
import { pause } from '../../runtime/pause.js'

/** Time and chance as the follower knows them. No time of this machine enters anything but waiting. */
export interface Clock {
  /** Milliseconds from any beginning. */
  now(): number
  /** Resolves after a time, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** A number from 0 to 1, without 1. */
  chance(): number
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  sleep: pause,
  chance: () => Math.random(),
}

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 300_000

/** The wait after a fault that `failures` others came before, with jitter by `chance`. */
export const backOffMs = (failures: number, chance: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures) * (0.5 + chance / 2)

/** Wikis that refuse programs whose operator cannot be reached. */
const WIKIMEDIA =
  /(?:^|\.)(?:wiki(?:pedia|media|data|books|quote|source|news|versity|voyage|functions)|wiktionary|mediawiki)\.org$/

/** Mail address or URL of an operator: it goes into a header, in brackets. */
export const isContact = (text: string): boolean => /^[\x20-\x27\x2a-\x7e]{3,200}$/.test(text)

/** Explains that a wiki asks for the operator's address; undefined if it does not, or has it. */
export function contactLacking(url: string, contact: string | undefined): string | undefined {
  const { hostname } = new URL(url)
  if ((contact ?? '') !== '' || !WIKIMEDIA.test(hostname)) return undefined
  return `${hostname} asks programs to say how their operator can be reached`
}

export const userAgentOf = (version: string, contact: string | undefined): string =>
  `Palimpsest/${version}${(contact ?? '') === '' ? '' : ` (${contact})`}`
