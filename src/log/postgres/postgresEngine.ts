/** A shared log in a PostgreSQL database: `schema.ts` has its tables and functions. */
import type { PoolClient, QueryConfig } from 'pg'
import { describeSystemError, isSystemError } from '../../runtime/systemErrors.js'
import { readEngineAddress } from '../engineAddress.js'
import {
  EngineError,
  LogExistsError,
  LogTakenError,
  UnusableEngineError,
  type LogBounds,
  type LogEngine,
  type LogOrigin,
  type LogRecord,
  type RecordBatch,
} from '../logEngine.js'
import { Connections, loadPostgres, type PostgresPackage } from './connections.js'
import { asEngineError, asSetUpError, isRepeatOfName, isWithoutLog } from './failures.js'
import { readRecords } from './reading.js'
import { FILL, SCHEMA, STEP_BYTES, STEP_RECORDS } from './schema.js'

const OLDEST_VERSION = 120_000
const MIB = 2 ** 20
/** For an append. More for large records, since they may come over slow lines. */
const APPEND_MS = 1000
const APPEND_MS_PER_MIB = 1000
const LOOK_MS = 2000
/** For statements of operators, and a step of pruning. */
const WORK_MS = 10_000

type Placed = LogRecord & { readonly sequence: number }

/**
 * Opens the log that an address names, whether it exists or not. Throws an EngineError if the server does not answer,
 * and an UnusableEngineError for a wrong address, role or version, and for a missing package.
 */
export async function openPostgresEngine(address: URL): Promise<LogEngine> {
  const { url, log, retentionMs } = readEngineAddress(address)
  const pg = await loadPostgres()
  const connections = connectionsTo(pg, url)
  try {
    const version = await connections.run(LOOK_MS, async (client) => {
      const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
      return Number(rows[0]!.server_version_num)
    })
    requireVersion(version)
    const description = `PostgreSQL ${versionWords(version)} at ${connections.place}, log ${log}`
    return new PostgresEngine(connections, log, retentionMs, description)
  } catch (error) {
    await connections.close()
    throw asSetUpError(error)
  }
}

/** The package checks some parameters, and reads the files of certificates. */
function connectionsTo(pg: PostgresPackage, url: URL): Connections {
  try {
    return new Connections(pg, url)
  } catch (error) {
    if (error instanceof UnusableEngineError) throw error
    const words = isSystemError(error) ? describeSystemError(error) : (error as Error).message
    throw new UnusableEngineError(`the address of the PostgreSQL server is wrong: ${words}`, { cause: error })
  }
}

const versionWords = (version: number): string => `${Math.floor(version / 10_000)}.${version % 10_000}`

/** Throws an UnusableEngineError for a server whose `server_version_num` is too old. */
export function requireVersion(version: number): void {
  if (version >= OLDEST_VERSION) return
  throw new UnusableEngineError(`the server is PostgreSQL ${versionWords(version)}: 12 or later is necessary`)
}

class PostgresEngine implements LogEngine {
  readonly description: string
  readonly #connections: Connections
  readonly #log: string
  readonly #retentionMs: number
  readonly #closing = new AbortController()

  constructor(connections: Connections, log: string, retentionMs: number, description: string) {
    this.#connections = connections
    this.#log = log
    this.#retentionMs = retentionMs
    this.description = description
  }

  async create({ epoch, sequence, digest }: LogOrigin): Promise<void> {
    try {
      await this.#connections.run(WORK_MS, async (client) => {
        await makeTables(client)
        await client.query(
          'insert into palimpsest.log (name, epoch, origin_sequence, origin_digest, first, last) ' +
            'values ($1, $2, $3, $4, $3::bigint + 1, $3)',
          [this.#log, epoch, sequence, digest],
        )
      })
    } catch (error) {
      if (!isRepeatOfName(error)) throw asSetUpError(error)
      throw new LogExistsError(`the database has a log "${this.#log}" already`, { cause: error })
    }
  }

  async origin(): Promise<LogOrigin | undefined> {
    const text =
      'select epoch, origin_sequence as sequence, origin_digest as digest from palimpsest.log where name = $1'
    try {
      const [row] = await this.#rows<{ epoch: string; sequence: string; digest: string }>(LOOK_MS, text, [
        this.#log,
      ])
      return row && { ...row, sequence: Number(row.sequence) }
    } catch (error) {
      if (isWithoutLog(error)) return undefined
      throw asSetUpError(error)
    }
  }

  append(records: readonly LogRecord[]): Promise<readonly number[]> {
    return this.#add(records, null)
  }

  async *read(after: number, signal: AbortSignal): AsyncGenerator<RecordBatch, void> {
    const ends = AbortSignal.any([signal, this.#closing.signal])
    try {
      yield* readRecords(this.#connections, this.#log, after, ends)
    } catch (error) {
      if (!ends.aborted) throw asEngineError(error)
    }
  }

  async record(sequence: number): Promise<Buffer | undefined> {
    const text = 'select bytes from palimpsest.record where log = $1 and sequence = $2'
    const [row] = await this.#look<{ bytes: Buffer }>(text, [this.#log, sequence])
    return row?.bytes
  }

  async bounds(): Promise<LogBounds> {
    const text = 'select first, last from palimpsest.log where name = $1'
    const [row] = await this.#look<{ first: string; last: string }>(text, [this.#log])
    if (row === undefined) throw new EngineError(`there is no log "${this.#log}"`)
    return { first: Number(row.first), last: Number(row.last) }
  }

  async restore(records: readonly Placed[]): Promise<void> {
    if (records.length === 0) return
    const { last } = await this.bounds()
    const isWithin = ({ sequence }: Placed): boolean => sequence <= last
    for (const step of steps(records.filter(isWithin))) await this.#fill(step)
    for (const step of steps(records.filter((record) => !isWithin(record))))
      await this.#add(step, step[0]!.sequence - 1)
  }

  async prune(): Promise<number> {
    const text = `select palimpsest.prune($1, now() - $2 * interval '1 millisecond') as removed`
    try {
      return await this.#prune(text, [this.#log, this.#retentionMs])
    } catch (error) {
      throw asEngineError(error)
    }
  }

  /** Removes the records in steps first, since one step for all of them would take too long. */
  async drop(): Promise<void> {
    try {
      await this.#prune(`select palimpsest.prune($1, 'infinity') as removed`, [this.#log])
      await this.#rows(WORK_MS, 'select palimpsest.drop_log($1)', [this.#log])
    } catch (error) {
      if (!isWithoutLog(error)) throw asSetUpError(error)
    }
  }

  async warnings(): Promise<readonly string[]> {
    const [settings] = await this.#look<Durability>(DURABILITY, [])
    return durabilityWarnings(settings!)
  }

  close(): Promise<void> {
    this.#closing.abort()
    return this.#connections.close()
  }

  /** With a position as `last`, all records must be new and come right after it. */
  async #add(records: readonly LogRecord[], last: number | null): Promise<readonly number[]> {
    if (records.length === 0) return []
    const text = 'select palimpsest.append($1, $2, $3, $4, $5, $6) as positions'
    const [row] = await this.#write<{ positions: string[] }>({ name: 'append', text }, records, last)
    return row!.positions.map(Number)
  }

  /** Puts records where there are none. Those that are there already stay. */
  async #fill(records: readonly Placed[]): Promise<void> {
    const places = records.map(({ sequence }) => sequence)
    const statement = { name: 'fill', text: FILL }
    const filled = await this.#write<{ sequence: string }>(statement, records, places).catch(
      (error: Error) => {
        if (!isRepeatOfName(error.cause)) throw error
        throw new LogTakenError('the log has some of the records at other positions', { cause: error })
      },
    )
    const isFilled = new Set(filled.map(({ sequence }) => Number(sequence)))
    for (const { sequence, bytes } of records)
      if (!isFilled.has(sequence) && (await this.record(sequence))?.equals(bytes) !== true)
        throw new LogTakenError(`position ${sequence} is taken`)
  }

  /** Runs a statement on the parts of joined records, and `last`. */
  async #write<Row extends object>(
    statement: { readonly name: string; readonly text: string },
    records: readonly LogRecord[],
    last: unknown,
  ): Promise<Row[]> {
    const sizes = records.map(({ bytes }) => bytes.length)
    const joined = Buffer.concat(records.map(({ bytes }) => bytes))
    const values = [this.#log, records.map(({ id }) => id), startsOf(sizes), sizes, joined, last]
    const limitMs = APPEND_MS + Math.floor((joined.length / MIB) * APPEND_MS_PER_MIB)
    try {
      return await this.#connections.run(limitMs, (client) =>
        writeDurably<Row>(client, { ...statement, values }),
      )
    } catch (error) {
      throw asEngineError(error)
    }
  }

  async #prune(text: string, values: unknown[]): Promise<number> {
    for (let all = 0; ;) {
      const [row] = await this.#rows<{ removed: string }>(WORK_MS, text, values)
      if (row?.removed === '0') return all
      all += Number(row?.removed)
    }
  }

  async #look<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return await this.#rows<Row>(LOOK_MS, text, values)
    } catch (error) {
      throw asEngineError(error)
    }
  }

  #rows<Row extends object>(limitMs: number, text: string, values: unknown[]): Promise<Row[]> {
    return this.#connections.run(limitMs, async (client) => (await client.query<Row>(text, values)).rows)
  }
}

/** Roles without the right to make tables use those that another role has made. */
async function makeTables(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ made: boolean }>(
    `select to_regclass('palimpsest.record') is not null as made`,
  )
  if (rows[0]?.made !== true) {
    // One transaction, since it is one query. The lock is for others who make the tables now.
    await client.query(`select pg_advisory_xact_lock(hashtext('palimpsest'));\n${SCHEMA}`)
  }
}

/**
 * Someone may cancel the wait for a synchronous standby. Then the server answers that all is well, and adds a warning,
 * since the records are on one server only.
 */
async function writeDurably<Row extends object>(client: PoolClient, statement: QueryConfig): Promise<Row[]> {
  let warning: string | undefined
  const note = ({ message }: { message?: string | undefined }): void => {
    warning = message ?? 'a warning without words'
  }
  client.on('notice', note)
  try {
    const { rows } = await client.query<Row>(statement)
    if (warning !== undefined) throw new EngineError(`PostgreSQL warns: ${warning}`)
    return rows
  } finally {
    client.off('notice', note)
  }
}

/** Where each part of a joined text begins, from 1. */
function startsOf(sizes: readonly number[]): number[] {
  let start = 1
  return sizes.map((size) => (start += size) - size)
}

/** Consecutive records in groups that one statement can take. */
function* steps(records: readonly Placed[]): Generator<readonly Placed[]> {
  let [step, bytes] = [[] as Placed[], 0]
  for (const record of records) {
    const follows = record.sequence === (step.at(-1)?.sequence ?? NaN) + 1
    const fits = step.length < STEP_RECORDS && bytes + record.bytes.length <= STEP_BYTES
    if (step.length > 0 && !(follows && fits)) {
      yield step
      ;[step, bytes] = [[], 0]
    }
    step.push(record)
    bytes += record.bytes.length
  }
  if (step.length > 0) yield step
}

// Settings of a PostgreSQL server with which acknowledged records can be lost.

/** The settings that matter, by their names. */
type Durability = Readonly<
  Record<'fsync' | 'full_page_writes' | 'synchronous_commit' | 'synchronous_standby_names', string>
>

const DURABILITY = `
  select current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as synchronous_standby_names`

export function durabilityWarnings(settings: Durability): string[] {
  const warnings: string[] = []
  if (settings.fsync === 'off') {
    warnings.push('fsync is off: a power cut can damage the log. Set fsync = on')
  }
  if (settings.full_page_writes === 'off') {
    warnings.push('full_page_writes is off: a power cut can damage the log. Set full_page_writes = on')
  }
  if (settings.synchronous_commit === 'off') {
    warnings.push(
      'synchronous_commit is off: a crash loses the edits of the last moments. Set synchronous_commit = on',
    )
  }
  if (settings.synchronous_standby_names === '') {
    warnings.push(
      'synchronous_standby_names is empty: edits are on one server when they are confirmed, and can be lost with it. ' +
        'Name at least one synchronous standby',
    )
  } else if (settings.synchronous_commit === 'local') {
    warnings.push(
      'synchronous_commit is local: edits are on one server when they are confirmed. Set synchronous_commit = on',
    )
  } else if (settings.synchronous_commit === 'remote_write') {
    warnings.push(
      'synchronous_commit is remote_write: standbys confirm edits before they are on their disks. ' +
        'Set synchronous_commit = on',
    )
  }
  return warnings
}
