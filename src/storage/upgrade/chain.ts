/** Chains the log of an older format again: there the chain is over the entries themselves, not over their hashes. */
import { createHash } from 'node:crypto'
import { chainDigest } from '../logReader.js'
import { FORMAT_VERSION, LOG_START, type Position } from '../meta.js'
import type { OldStore } from './oldStore.js'

interface ChainedLog {
  readonly position: Position
  /** Faults of the old chain. */
  readonly problems: string[]
}

/** The end of a store's log by the chain of today. Reads all entries. */
export function chainedPosition(old: OldStore, onProgress?: (entries: number) => void): ChainedLog {
  const before = oldPosition(old)
  let { sequence, digest } = LOG_START
  let oldDigest = digest
  for (const { value } of old.rows('log')) {
    sequence++
    oldDigest = createHash('sha256').update(oldDigest).update(value).digest('hex')
    digest = chainDigest(digest, value)
    onProgress?.(sequence)
  }
  const problems: string[] = []
  if (sequence !== before.sequence)
    problems.push(`log: ${sequence} entries, but the position says ${before.sequence}`)
  else if (oldDigest !== before.digest)
    problems.push('log: the chain of entries does not lead to the stored digest')
  return { position: { sequence, digest }, problems }
}

/** Makes a store of format 3 one of today's format, in one transaction. */
export function adoptChain(old: OldStore, position: Position): void {
  old.writeMeta({ format: FORMAT_VERSION, position })
}

function oldPosition(old: OldStore): Position {
  for (const { key, value } of old.rows('meta'))
    if (key.toString() === 'position') return JSON.parse(value.toString()) as Position
  return LOG_START
}
