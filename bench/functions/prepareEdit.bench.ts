/** Preparing an edit: done once for each save, on the event loop if the text is short. */
import { interwikiMap, NO_INTERWIKI_CHANGES } from '../../src/domain/interwiki.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { prepareEdit } from '../../src/edit/prepareEdit.js'
import { Preprocessor } from '../../src/render/preprocessor/preprocessor.js'
import { wikiOf } from '../support/dumpWiki.js'
import { type FunctionTask, measureFunctions } from '../support/functionBench.js'
import { readOptions } from '../support/options.js'
import { randomNumbers } from '../support/random.js'
import { wikiLines } from '../support/text.js'

const namespaces = new Namespaces(DEFAULT_SITE)
const interwiki = interwikiMap(DEFAULT_SITE, NO_INTERWIKI_CHANGES)
const KILOBYTE = 1024
const PAGE_BYTES = 20 * KILOBYTE
const LONGEST_BYTES = 2048 * KILOBYTE
/** Texts ten times as long take ten times as long. */
const HOSTILE_BYTES = 200 * KILOBYTE
const TEMPLATE_TITLE = { namespace: 10, dbkey: 'Hello' }
const { source: wiki } = wikiOf([
  { title: TEMPLATE_TITLE, text: 'Hello {{{1|world}}}', contentModel: 'wikitext' },
])
const WIKI_TITLE = { namespace: 0, dbkey: 'Moon' }
const JSON_TITLE = { namespace: 8, dbkey: 'Moon.json' }
/** Leaves room for text that the save inserts. */
const ROOM_BYTES = 2 * KILOBYTE

const textOf = (sizeBytes: number) =>
  wikiLines(sizeBytes - ROOM_BYTES, randomNumbers(1))
    .join('\n')
    .slice(0, sizeBytes)
const filledWith = (unit: string, sizeBytes: number) =>
  unit.repeat(Math.floor(sizeBytes / Buffer.byteLength(unit)))

const tasks: FunctionTask[] = [
  ...bothSizes('English', textOf),
  ...bothSizes('English with dashes', (size) => textOf(size).replaceAll(' the ', ' – ')),
  ...bothSizes('Russian', (size) => filledWith('Луна обращается вокруг Земли. ', size)),
  ...bothSizes('Hindi', (size) => filledWith('चन्द्रमा पृथ्वी की परिक्रमा करता है। ', size)),
  ...bothSizes('signed', (size) => `${textOf(size)}\n~~~~`),
  ...bothSizes('with a substitution', (size) => `${textOf(size)}\n{{subst:hello|you}} ~~~~ [[Sun (star)|]]`),
  taskOf('JSON, 20 kB', filledJson(PAGE_BYTES), JSON_TITLE),
  taskOf('JSON, 200 kB', filledJson(HOSTILE_BYTES), JSON_TITLE),
  ...worstCases(),
]
measureFunctions('prepareEdit', tasks, readOptions())

function bothSizes(kind: string, make: (sizeBytes: number) => string): FunctionTask[] {
  return [taskOf(`${kind}, 20 kB`, make(PAGE_BYTES)), taskOf(`${kind}, 2 MiB`, make(LONGEST_BYTES))]
}

/** Texts that an attacker might send to keep the server busy. */
function worstCases(): FunctionTask[] {
  const cases = {
    'carriage returns': '\r',
    'control characters': '\0',
    'marks in the wrong order': '\u0301\u0323',
    'marks of the upper planes': '\u{1d165}\u{1d16d}',
    'Hangul, decomposed': '\u1112\u1161\u11ab',
    'open nowiki and signatures': '<nowiki>~~~ ',
    'open links': '[[a|]] [[',
    'open substitutions': '{{subst:a|',
    substitutions: '{{subst:hello|a=b}}',
  }
  return Object.entries(cases).map(([kind, unit]) =>
    taskOf(`worst: ${kind}, 200 kB`, filledWith(unit, HOSTILE_BYTES)),
  )
}

function filledJson(sizeBytes: number): string {
  return `[${filledWith('{"name":"caf\\u00e9","size":1234},', sizeBytes)}{}]`
}

function taskOf(name: string, source: string, title = WIKI_TITLE): FunctionTask {
  const request = {
    title,
    source,
    comment: '',
    editor: { name: 'Ann', anonymous: false },
    mayChangeContentModel: false,
    time: 1_795_000_000,
  }
  const run = () => {
    const preprocessor = new Preprocessor({ title, id: undefined, revision: undefined }, wiki)
    const checkModule = () => undefined
    const substitute = (text: string) => preprocessor.substitute(text).wikitext
    return prepareEdit(request, { namespaces, interwiki, substitute, checkModule }).ok
  }
  return { name: `prepareEdit(${name})`, calls: 1, run }
}
