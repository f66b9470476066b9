/** Follows as the command line asks: in the foreground, until a signal, or once. */
import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { Originals } from '../../files/originals.js'
import { userAgentOf, SYSTEM_CLOCK } from '../../follow/api/etiquette.js'
import type { UpstreamFault } from '../../follow/api/faults.js'
import { type FollowEvent, Follower, type FollowOptions } from '../../follow/follower.js'
import { StreamWakeUps } from '../../follow/streamWakeUps.js'
import { requireNoCluster, takeImportLock } from '../../import/importLock.js'
import { openLog } from '../../app/logger.js'
import { formatTimestamp, toSeconds } from '../../domain/timestamp.js'
import type { UpstreamPosition } from '../../domain/upstreamPosition.js'
import type { EraseChange } from '../../storage/entries/administration.js'
import { Applier } from '../../storage/apply/applier.js'
import type { FollowCounts, Verdict } from '../../storage/entries/entries.js'
import { randomEntryId } from '../../storage/entries/entryIds.js'
import type { Store } from '../../storage/store.js'
import { noteEqual } from '../../storage/upstream/place.js'
import { endWithoutReader } from '../../runtime/standardError.js'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { UserError } from '../../runtime/userError.js'
import { productVersion } from '../../runtime/version.js'
import { Erasures } from '../../workers/writer/erasures.js'
import { CommandError } from '../commandError.js'
import { limitHeapGrowth, openStore } from '../openStore.js'
import { nowSeconds } from '../expiry.js'
import { formatCount, formatDuration } from '../import/progress.js'
import { type FollowFlags, requireContact } from './followOptions.js'
import { leaseHolder } from '../../storage/lease.js'

type FollowConfig = Pick<Config, 'dataDir' | 'maxFileBytes' | 'logLevel'>

/** Faults for this long are an error of the log; with --once and --check, the end. */
const LONG_FAULT_MS = 600_000

/** A signal ended the work. Everything written is consistent. */
class FollowInterrupted extends UserError {
  override readonly name = 'FollowInterrupted'
}

export async function runFollow(config: FollowConfig, flags: FollowFlags): Promise<void> {
  const { dataDir } = config
  const isStatus = flags.status === true
  // Before a store is made.
  if (flags.upstream !== undefined) requireContact(flags.upstream, flags.contact)
  const store = openStore(dataDir, {
    create: !isStatus && flags.upstream !== undefined,
    readsApart: true,
  })
  try {
    if (isStatus) {
      showStatus(store, flags.json === true)
      return
    }
    requireNoCluster(store)
    limitHeapGrowth()
    const unlock = takeImportLock(store, dataDir)
    try {
      await follow(store, config, flags)
    } finally {
      unlock()
    }
  } finally {
    await store.close()
  }
  await endWithoutReader()
}

async function follow(store: Store, config: FollowConfig, flags: FollowFlags): Promise<void> {
  const log = openLog(config)
  const stop = new AbortController()
  const interrupted = new FollowInterrupted('interrupted; run the same command again to go on')
  const onSignal = (): void => stop.abort(interrupted)
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  const endsByItself = flags.once === true || flags.check === true
  try {
    await withErasures(store, config, log, () =>
      work(store, log, followOptions(store, config, flags, { log, signal: stop.signal }), flags),
    )
  } catch (error) {
    // A mirror that follows for ever ends well by a signal.
    if (error !== interrupted || endsByItself) throw error
    log.info('stopped')
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}

/** Meanwhile, what the wiki removes or hides goes from the log and from free pages, too. */
async function withErasures(
  store: Store,
  { dataDir }: FollowConfig,
  log: Logger,
  action: () => Promise<void>,
): Promise<void> {
  const onFailure = (error: Error): void =>
    log.error({ err: error }, 'removed words cannot be erased yet: it is tried again')
  // A killed follower may have left a part of a file that the wiki has removed since.
  new Originals(dataDir).clean()
  const applier = new Applier(store)
  const apply = (change: EraseChange): Verdict =>
    applier.submit({ id: randomEntryId(), time: nowSeconds(), ...change })
  const erasures = new Erasures({ store, apply, dataDir, onFailure })
  try {
    await action()
    erasures.finish()
  } finally {
    erasures.close()
  }
}

async function work(store: Store, log: Logger, options: FollowOptions, flags: FollowFlags): Promise<void> {
  const follower = await Follower.open(options)
  const { cursor } = follower
  const progress = new ProgressLog(log)
  cursor.onBatch = () => progress.note(follower)
  follower.onPoll = ({ rows, hasDoubts }, tookMs) => {
    if (!hasDoubts) noteEqual(store, toSeconds(Date.now() - tookMs))
    tellPoll(log, follower, rows)
    progress.end(cursor.position)
  }
  follower.onSweep = (sweep) => {
    log.debug({ sweep }, 'comparing everything')
    progress.note(follower)
  }
  const { stream } = flags
  if (stream !== undefined)
    follower.wakeUps = StreamWakeUps.open(stream, options.api, (message) => log.warn(message))
  try {
    if (flags.once !== true && flags.check !== true) return await follower.run()
    await follower.catchUp()
    const before = { ...cursor.counts }
    if (flags.check === true) await follower.check()
    process.stdout.write(
      `${summary(flags.check === true ? differenceOf(before, cursor.counts) : cursor.counts)}\n`,
    )
    const position = store.mirror.place() as UpstreamPosition
    process.stdout.write(
      `up to ${formatTimestamp(position.newest)}; ${formatCount(follower.client.requests)} requests\n`,
    )
  } finally {
    follower.wakeUps?.close()
  }
}

function followOptions(
  store: Store,
  { dataDir, maxFileBytes }: FollowConfig,
  flags: FollowFlags,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): FollowOptions {
  const url = flags.upstream ?? store.mirror.place()?.url
  if (url === undefined) throw new CommandError('the store follows no wiki yet: give --upstream')
  requireContact(url, flags.contact)
  const isFinite = flags.once === true || flags.check === true
  return {
    store,
    applier: new Applier(store),
    overlap: flags.overlap / 1000,
    intervalMs: flags.interval,
    history: flags.history,
    acceptRemovals: flags.acceptRemovals,
    acceptsUrl: flags.check === true,
    tell: (event) => tell(log, event),
    withFiles: flags.files !== 'none',
    contents: flags.files === 'contents' ? { originals: new Originals(dataDir), maxFileBytes } : undefined,
    api: {
      url,
      userAgent: userAgentOf(productVersion(), flags.contact),
      token: flags.tokenFile === undefined ? undefined : readToken(flags.tokenFile),
      signal,
      clock: SYSTEM_CLOCK,
      onFault: (fault, sinceMs) => tellFault(log, fault, sinceMs),
      giveUpAfterMs: isFinite ? LONG_FAULT_MS : undefined,
    },
  }
}

function readToken(path: string): string {
  try {
    const token = readFileSync(path, 'utf8').trim()
    if (/^[\x21-\x7e]+$/.test(token)) return token
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CommandError(describeSystemError(error, path), { cause: error })
  }
  throw new CommandError(`${path} has no token: it must be one line of printable letters`)
}

// -- Log ---------------------------------------------------------------------------------------------------------

function tell(log: Logger, event: FollowEvent): void {
  switch (event.type) {
    case 'begun':
      return log.info(
        event.how === 'sweep'
          ? 'begins to follow: fills the store from the wiki'
          : 'begins to follow: goes on from the time of the dump',
      )
    case 'horizon':
      return log.warn(
        { newest: formatTimestamp(event.newest), oldest: formatTimestamp(event.oldest) },
        'the wiki has forgotten changes since the last one that the store has: compares everything',
      )
    case 'left-out':
      return log.warn({ what: event.what }, 'left out')
    case 'reindex':
      return log.warn(
        { changed: event.changed },
        'the wiki has other settings, on which words and links in texts depend: run "palimpsest reindex"',
      )
  }
}

function tellFault(log: Logger, { code, message, retryAfterMs }: UpstreamFault, sinceMs: number): void {
  const fields = { code, retryAfterMs, sinceMs: Math.round(sinceMs) }
  if (sinceMs >= LONG_FAULT_MS)
    log.error(fields, `no answer for ${Math.round(sinceMs / 60_000)} minutes: ${message}`)
  else log.warn(fields, `waits: ${message}`)
}

function tellPoll(log: Logger, { cursor, client }: Follower, rows: number): void {
  const { position, counts } = cursor
  const newest = formatTimestamp(position.newest)
  const { pagesAdded, pagesRemoved, revisionsAdded } = counts
  log.debug({ rows, newest, requests: client.requests, pagesAdded, pagesRemoved, revisionsAdded }, 'polled')
}

const LABELS: Readonly<Record<keyof FollowCounts, string>> = {
  pagesAdded: 'pages added',
  pagesRemoved: 'pages removed',
  pagesChanged: 'pages changed',
  revisionsAdded: 'revisions added',
  revisionsRemoved: 'revisions removed',
  revisionsChanged: 'revisions hidden, shown or renamed',
  revisionsMoved: 'revisions moved to another page',
  filesChanged: 'files changed',
  protectionsChanged: 'protections changed',
  usersRenamed: 'accounts renamed',
  settingsChanged: 'settings changed',
}

/** All that is not zero. */
function summary(counts: FollowCounts): string {
  const names = Object.keys(LABELS) as (keyof FollowCounts)[]
  const parts = names
    .filter((name) => counts[name] > 0)
    .map((name) => `${formatCount(counts[name])} ${LABELS[name]}`)
  return parts.length === 0 ? '0 differences' : parts.join(', ')
}

function differenceOf(before: FollowCounts, after: FollowCounts): FollowCounts {
  const names = Object.keys(LABELS) as (keyof FollowCounts)[]
  return Object.fromEntries(
    names.map((name) => [name, after[name] - before[name]]),
  ) as unknown as FollowCounts
}

// Tells at times how far a long piece of work of `follow` is: a catch-up, the first fill, a check.

const EVERY_MS = 30_000

/** The parts of a Follower that tell how far it is. */
export interface Work {
  readonly cursor: { readonly position: UpstreamPosition; readonly counts: FollowCounts }
  readonly client: { readonly requests: number }
}

export class ProgressLog {
  readonly #log: Logger
  readonly #now: () => number
  /** When the work began, or last had a line. Undefined while nothing takes long. */
  #sinceMs: number | undefined
  #hasLine = false

  /** `now` is a clock in milliseconds. */
  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  /** Writes a line if the work has gone on for 30 seconds since its beginning or its last line. */
  note({ cursor: { position, counts }, client: { requests } }: Work): void {
    const now = this.#now()
    this.#sinceMs ??= now
    if (now - this.#sinceMs < EVERY_MS) return
    this.#sinceMs = now
    this.#hasLine = true
    const { pagesAdded, pagesRemoved, revisionsAdded } = counts
    const newest = formatTimestamp(position.window?.newest ?? position.newest)
    const stage = position.window === undefined ? position.sweep?.stage : undefined
    this.#log.info({ stage, newest, pagesAdded, pagesRemoved, revisionsAdded, requests }, workOf(position))
  }

  /** The work is done. Says so after lines of progress only. */
  end({ newest }: UpstreamPosition): void {
    if (this.#hasLine) this.#log.info({ newest: formatTimestamp(newest) }, 'up to date')
    this.#sinceMs = undefined
    this.#hasLine = false
  }
}

function workOf({ sweep, window }: UpstreamPosition): string {
  if (window !== undefined) return 'catches up'
  return sweep?.isFirst ? 'fills the store' : 'compares everything'
}

// `palimpsest follow --status`: where a mirror stands.

/** Throws a CommandError if the store follows no wiki. */
function showStatus(store: Store, asJson: boolean): void {
  const position = store.mirror.place() as UpstreamPosition | undefined
  if (position === undefined) throw new CommandError('the store follows no wiki: give --upstream to begin')
  const status = {
    upstream: position.url,
    wikiId: position.wikiId,
    newest: formatTimestamp(position.newest),
    behindSeconds: Math.max(0, nowSeconds() - position.newest),
    isCatchingUp: position.window !== undefined,
    sweep: position.sweep?.stage ?? null,
    lastSweep: position.swept === undefined ? null : formatTimestamp(position.swept),
    history: position.history,
    batches: position.batch,
    process: leaseHolder(store)?.pid ?? null,
  }
  process.stdout.write(asJson ? `${JSON.stringify(status)}\n` : table(status))
}

function table(status: {
  readonly upstream: string
  readonly wikiId: string
  readonly newest: string
  readonly behindSeconds: number
  readonly isCatchingUp: boolean
  readonly sweep: string | null
  readonly lastSweep: string | null
  readonly history: string
  readonly batches: number
  readonly process: number | null
}): string {
  const rows: readonly (readonly [label: string, value: string])[] = [
    ['upstream', `${status.upstream} (${status.wikiId})`],
    ['newest change', `${status.newest}, ${formatDuration(1000 * status.behindSeconds)} ago`],
    ['state', status.isCatchingUp ? 'catching up' : 'up to date at the last poll'],
    ['sweep', status.sweep ?? 'none under way'],
    ['last sweep', status.lastSweep ?? 'none'],
    ['history', status.history],
    ['batches', String(status.batches)],
    ['process', status.process === null ? 'none' : String(status.process)],
  ]
  return rows.map(([label, value]) => `${label.padEnd(15)}${value}\n`).join('')
}
