/** The recorded upstream, for tests of `describeShared('…', RECORDING, …)`. */
import { join } from 'node:path'
import { sharedPath } from './shared.js'
import type { WikiSource } from './upstreamServer.js'

export const RECORDING = 'oracle/following'

export const FOLDER = sharedPath(RECORDING)

interface Row {
  readonly rcid: number
  readonly timestamp: string
}

/** The replay, at a step. */
export interface RecordedWiki extends WikiSource {
  readonly last: number
  readonly step: number
  hideRcAfter: number | null
  hideRc: Set<number>
  /** Where one file is asked for, the answer goes on with its older versions. */
  oldFiles: 'shown' | 'hidden' | null
  goTo(step: number): void
  name(step: number): string
  rows(table: 'rc'): Row[]
  rows(table: string): Record<string, unknown>[]
}

/** A state as the recording expects it of a mirror. */
export interface ExpectedState {
  readonly pages: readonly ExpectedPage[]
  readonly protectedTitles: readonly { ns: number; title: string; level: string; expiry: string }[]
  readonly files: readonly ExpectedFile[]
  readonly bots: readonly string[]
  readonly site: { readonly sitename: string; readonly lang: string; readonly case: string }
  readonly namespaces: readonly { readonly id: number; readonly name: string }[]
  readonly interwiki: readonly string[]
}

export interface ExpectedPage {
  readonly id: number
  readonly ns: number
  readonly title: string
  readonly latest: number
  readonly redirect: {
    readonly title?: string
    readonly interwiki?: string
    readonly fragment?: string
  } | null
  readonly protection: readonly { readonly type: string; readonly level: string; readonly expiry: string }[]
  readonly revisions: readonly {
    readonly id: number
    readonly parent: number
    readonly timestamp: string
    readonly size: number
    readonly minor: boolean
    readonly model: string
    readonly user: { readonly id: number; readonly name: string } | null
    readonly comment: string | null
    readonly text: { readonly sha1: string } | null
  }[]
}

export interface ExpectedFile {
  readonly name: string
  readonly size: number
  readonly width: number
  readonly height: number
  readonly sha1: string
  readonly mime: string
  readonly mediatype: string
  readonly timestamp: string
  readonly user: string | null
}

/** A new replay, at its last step. */
export async function openRecording(): Promise<RecordedWiki> {
  const { Replay } = (await import(join(FOLDER, 'replay.mjs'))) as {
    Replay: new (folder: string) => RecordedWiki
  }
  return new Replay(FOLDER)
}

/** The function that tells what a mirror must have at the present step of a replay. */
export async function loadExpected(): Promise<(wiki: RecordedWiki) => ExpectedState> {
  const { expectedState } = (await import(join(FOLDER, 'expected.mjs'))) as {
    expectedState: (wiki: RecordedWiki) => ExpectedState
  }
  return expectedState
}

export async function expectedOf(wiki: RecordedWiki): Promise<ExpectedState> {
  return (await loadExpected())(wiki)
}
