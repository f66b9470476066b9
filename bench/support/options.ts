/** The flags that all benches accept. Each bench uses those that it needs. */
import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** Rounds of every comparison. Undefined: the bench's default. */
  readonly rounds: number | undefined
  /** Length of one sample of a load or a function, in seconds. Undefined: the bench's default. */
  readonly seconds: number | undefined
  /** The import bench also reads the large history. */
  readonly history: boolean
  /** Only the corpus with this in its name. Undefined: all. */
  readonly corpus: string | undefined
  /** Pages of each corpus. Undefined: the bench's default. */
  readonly pages: number | undefined
  /** Requests of a long run. Undefined: the bench's default. */
  readonly requests: number | undefined
  /** Only the parts of the bench with this in their names. Undefined: all. */
  readonly only: string | undefined
  /** URL of the `rest.php` of a MediaWiki to compare with. Undefined: no comparison. */
  readonly mediawiki: string | undefined
}

/** Throws for an unknown flag, or a value that is not a number above 0. */
export function readOptions(args: readonly string[] = process.argv.slice(2)): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      history: { type: 'boolean' },
      corpus: { type: 'string' },
      pages: { type: 'string' },
      requests: { type: 'string' },
      only: { type: 'string' },
      mediawiki: { type: 'string' },
    },
  })
  const rounds = positive('rounds', values.rounds)
  if (rounds !== undefined && !Number.isInteger(rounds)) throw new Error('--rounds takes a whole number')
  const { history = false, corpus, only, mediawiki } = values
  const [seconds, pages] = [positive('seconds', values.seconds), positive('pages', values.pages)]
  const requests = positive('requests', values.requests)
  return { rounds, seconds, history, corpus, pages, requests, only, mediawiki }
}

function positive(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!(value > 0 && Number.isFinite(value)))
    throw new Error(`--${name} takes a number above 0, not "${text}"`)
  return value
}
