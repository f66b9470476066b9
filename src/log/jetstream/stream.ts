/** The stream that carries a log: its settings, and where the log begins. */
import { randomBytes } from 'node:crypto'
import type { StreamConfig, StreamInfo } from '@nats-io/jetstream'
import { type LogBounds, type LogOrigin, UnusableEngineError } from '../logEngine.js'

/** For this time the server remembers ids of records, and stores a repeated one only once. */
const DUPLICATE_WINDOW_MS = 120_000
const NS_PER_MS = 1_000_000

const KEYS = {
  epoch: 'palimpsest-epoch',
  sequence: 'palimpsest-sequence',
  digest: 'palimpsest-digest',
  maker: 'palimpsest-maker',
} as const

export interface StreamWishes {
  readonly name: string
  readonly retentionMs: number
  readonly replicas: number
}

/**
 * One subject for all records: nothing needs finer ones, and each subject costs the server memory. The epoch keeps out
 * records for an earlier log of that name.
 */
export const subjectOf = (stream: string, { epoch }: LogOrigin): string => `${stream}.${epoch}`

/**
 * Messages of a stream count from 1, those of a log from its origin. The setting `first_seq` would make them equal.
 * But with it, nats-server 2.10.27 removes all records at a restart (fixed by its pull request 6753).
 */
export const toPosition = (message: number, origin: LogOrigin): number => message + origin.sequence
export const toMessage = (position: number, origin: LogOrigin): number => position - origin.sequence

export function configFor({ name, retentionMs, replicas }: StreamWishes, origin: LogOrigin): StreamConfig {
  const config: Partial<StreamConfig> & { name: string } = {
    name,
    subjects: [subjectOf(name, origin)],
    storage: 'file',
    retention: 'limits',
    discard: 'old', // a full stream loses its oldest records; it must never refuse new ones
    num_replicas: replicas,
    max_age: retentionMs * NS_PER_MS,
    duplicate_window: Math.min(DUPLICATE_WINDOW_MS, retentionMs) * NS_PER_MS,
    allow_direct: false, // direct reads come from any replica, which may be behind
    metadata: {
      [KEYS.epoch]: origin.epoch,
      [KEYS.sequence]: String(origin.sequence),
      [KEYS.digest]: origin.digest,
      // The server takes a request for an equal stream as a repetition. Each call must make a stream of its own.
      [KEYS.maker]: randomBytes(8).toString('hex'),
    },
  }
  return config as StreamConfig
}

/** Throws an UnusableEngineError for a stream that is not a log, or has settings with which none can work. */
export function originOf({ config }: StreamInfo): LogOrigin {
  const metadata = config.metadata ?? {}
  const origin = {
    epoch: metadata[KEYS.epoch] ?? '',
    sequence: Number(metadata[KEYS.sequence]),
    digest: metadata[KEYS.digest] ?? '',
  }
  const isWhole =
    /^[0-9a-f]{32}$/.test(origin.epoch) &&
    Number.isSafeInteger(origin.sequence) &&
    origin.sequence >= 0 &&
    /^[0-9a-f]{64}$/.test(origin.digest)
  if (!isWhole) {
    throw new UnusableEngineError(
      `the stream ${config.name} is not a log of Palimpsest: its metadata names no epoch, sequence and digest. ` +
        'Choose another name with `?log=NAME`, or remove the stream',
    )
  }
  const fault = faultOf(config, subjectOf(config.name, origin))
  if (fault !== undefined)
    throw new UnusableEngineError(`the stream ${config.name} cannot carry a log: ${fault}`)
  return origin
}

/** A setting with which a log cannot work; the server's own tools can set it. */
function faultOf(config: StreamConfig, subject: string): string | undefined {
  if (config.subjects?.length !== 1 || config.subjects[0] !== subject)
    return `its one subject must be ${subject}`
  if (config.retention !== 'limits') return `its retention is ${config.retention}; it must be limits`
  if (config.no_ack) return 'it does not acknowledge records (no_ack)'
  if (config.mirror !== undefined || config.sources?.length) return 'it takes records from another stream'
  if (config.sealed) return 'it is sealed'
  return undefined
}

/** What an operator should change about a stream. `wishes` are those of the address. */
export function streamWarnings(
  { config, state }: StreamInfo,
  wishes: { readonly retentionMs?: number; readonly replicas?: number },
): string[] {
  const { name, num_replicas: replicas } = config
  const retentionMs = config.max_age / NS_PER_MS
  const checks: [boolean, string][] = [
    [
      replicas < 2,
      `the stream ${name} has one replica: a lost disk loses the log. Use three servers and replicas=3`,
    ],
    [replicas === 2, `the stream ${name} has two replicas: it stops when one is away. Use three`],
    [config.storage !== 'file', `the stream ${name} is in memory: a restart of the servers loses the log`],
    [config.discard !== 'old', `the stream ${name} refuses new records when it is full: set discard to old`],
    [
      state.num_deleted > 0,
      `the stream ${name} has ${state.num_deleted} holes: nodes that need these records stop`,
    ],
    [
      wishes.replicas !== undefined && wishes.replicas !== replicas,
      `the stream ${name} has ${replicas} replicas, the address asks for ${wishes.replicas}: ` +
        `run \`nats stream edit ${name} --replicas ${wishes.replicas}\``,
    ],
    [
      wishes.retentionMs !== undefined && wishes.retentionMs !== retentionMs,
      `the stream ${name} keeps records for ${hours(retentionMs)}, the address asks for ${hours(wishes.retentionMs ?? 0)}: ` +
        `run \`nats stream edit ${name} --max-age ${hours(wishes.retentionMs ?? 0)}\``,
    ],
  ]
  return checks.filter(([applies]) => applies).map(([, warning]) => warning)
}

/** As the `nats` command reads and shows it. */
const hours = (ms: number): string => (ms === 0 ? 'ever' : `${Number((ms / 3_600_000).toFixed(3))}h`)

/** A stream without messages names its last position, but not always its first. */
export function boundsOf(info: StreamInfo): LogBounds {
  const { messages, first_seq: first, last_seq: last } = info.state
  const { sequence } = originOf(info)
  return { first: sequence + (messages === 0 ? last + 1 : first), last: sequence + last }
}
