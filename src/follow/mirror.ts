/** Reads of the mirror, to compare it with the wiki. */
import type { MirrorReader, RevisionPlace } from '../storage/upstream/mirrorReader.js'

export type { MirrorPage, MirrorRevision, RevisionPlace } from '../storage/upstream/mirrorReader.js'
export type Mirror = MirrorReader

export const HISTORY_START: RevisionPlace = { timestamp: 0, id: 0 }
export const HISTORY_END: RevisionPlace = { timestamp: 0xffffffff, id: 0xffffffff }
