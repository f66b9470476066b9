/** The pairs of texts for comparison benches: real edits of five Wikipedias, in both directions. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { REPOSITORY } from '../../support/repository.js'

const FOLDER = join(REPOSITORY, '../shared/oracle/diff')
const LANGUAGES = ['en', 'hi', 'ru', 'th', 'zh']

export interface Pair {
  readonly id: string
  readonly lang: string
  readonly from: string
  readonly to: string
}

/** Pairs by language, in a fixed order; undefined, with a message, if they are missing. */
export function findPairs(): Pair[] | undefined {
  if (existsSync(FOLDER)) return LANGUAGES.flatMap(readPairs)
  console.log(`${FOLDER} is absent: not measured.`)
  return undefined
}

function readPairs(language: string): Pair[] {
  return gunzipSync(readFileSync(join(FOLDER, `real-${language}.jsonl.gz`)))
    .toString()
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => JSON.parse(row) as Pair)
}
