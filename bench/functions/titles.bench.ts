/** Parsing titles: done once for each page request, and for each page of a dump. */
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { parseTitle, titleFromDump } from '../../src/domain/title.js'
import { type FunctionTask, measureFunctions } from '../support/functionBench.js'
import { readOptions } from '../support/options.js'

const namespaces = new Namespaces(DEFAULT_SITE)
/** Different strings of one kind, so that no call can reuse an earlier result. */
const VARIANTS = 200

/** `%` is replaced by a number. */
const PARSED: readonly (readonly [kind: string, pattern: string])[] = [
  ['plain key', 'Phases_of_the_moon_%'],
  ['plain text', 'Phases of the moon %'],
  ['first letter to raise', 'phases of the moon %'],
  ['accents', 'Größe der Mondscheibe é%'],
  ['accents, decomposed', 'Lune de\u0301crite %'],
  ['Greek', 'Σελήνη %'],
  ['Japanese', '月の満ち欠け%'],
  ['namespace', 'User talk:Moon watcher %'],
  ['prefix of no namespace', '2001: A moon odyssey %'],
  ['fragment', 'Moon %#New moon'],
  ['250 bytes', `${'Moon '.repeat(49)}%`],
  ['refused: bracket', 'Phases [of] the moon %'],
]
const DUMPED: readonly (readonly [kind: string, title: string, namespace: number])[] = [
  ['main', 'Phases of the moon %', 0],
  ['namespace', 'User talk:Moon watcher %', 3],
]

const tasks: FunctionTask[] = [
  ...PARSED.map(([kind, pattern]) =>
    taskOf(`parseTitle(${kind})`, pattern, (title) => parseTitle(title, namespaces).ok),
  ),
  ...DUMPED.map(([kind, pattern, namespace]) =>
    taskOf(`titleFromDump(${kind})`, pattern, (title) => titleFromDump(title, namespace, namespaces).ok),
  ),
]
measureFunctions('titles', tasks, readOptions())

/** A task that counts the variants of a title which `isTitle` accepts. */
function taskOf(name: string, pattern: string, isTitle: (title: string) => boolean): FunctionTask {
  const titles = Array.from({ length: VARIANTS }, (_, n) => pattern.replace('%', String(n + 100)))
  const run = (): number => {
    let accepted = 0
    for (const title of titles) if (isTitle(title)) accepted++
    return accepted
  }
  return { name, calls: VARIANTS, run }
}
