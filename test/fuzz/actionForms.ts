/** Forms of the action API: parameters that its modules know, with values that are right, wrong or odd. */
import { ACTIONS } from '../../src/http/actionApi/modules.js'
import type { Parameter, ParameterTable } from '../../src/http/actionApi/frame/declaration.js'
import { LISTS, METAS, PROPS } from '../../src/http/actionApi/query/modules.js'
import { MAIN_PARAMETERS } from '../../src/http/actionApi/mainParameters.js'

type Random = () => number

const TITLES = [
  'Compost',
  'Rain barrel',
  'Talk:Compost',
  'File:Rose.png',
  'Category:Soil',
  'Main Page',
  'User:Ann',
].concat(['Special:Version', 'Template:Note', 'de:Kompost', 'Compost#Soil', ':', '<', 'x'.repeat(256)])
const TEXTS = [
  'compost',
  'a|b',
  '|',
  '\x1fa\x1fb',
  '{{Compost}}',
  "''x",
  '<ref>x</ref>',
  'insource:/(a+)+/',
  '"',
  '~~~~',
]
const NUMBERS = ['0', '1', '-1', '5', '101', '125', 'max', '4294967296', '1e3', 'x']
const TIMES = ['now', '2020-01-01T00:00:00Z', '20200101000000', '0', '-1', '99999999999999', 'yesterday']
/** Where a list goes on, as modules write it, and worse. */
const PLACES = [
  'Compost',
  '0|Compost',
  '10|5',
  '20200101000000|101',
  '|',
  '||',
  'subcat|00|5',
  '-|1',
  '9'.repeat(30),
]
const TOKENS = ['+\\', 'x', '']
/** Of a main parameter in one request. */
const RARELY = 0.05

/** `odd` gives values that break rules of any kind. */
export function actionForm(random: Random, odd: () => string): { form: string; isPost: boolean } {
  const action = pick(random, ACTIONS)
  const fields = [
    ['action', action.name],
    ...fieldsOf(random, { prefix: '', parameters: action.parameters }, odd),
  ]
  if (action.name === 'query') fields.push(...queryFields(random, odd))
  if (action.needsToken !== undefined) fields.push(['token', pick(random, TOKENS)])
  for (const [name, parameter] of Object.entries(MAIN_PARAMETERS))
    if (random() < RARELY) fields.push([name, valueOf(random, parameter, odd)])
  const isPost = random() < (action.mustBePosted === true || action.needsToken !== undefined ? 0.9 : 0.1)
  return { form: fields.map(([name, value]) => `${name}=${value}`).join('&'), isPost }
}

function queryFields(random: Random, odd: () => string): [string, string][] {
  const props = some(random, PROPS)
  const lists = some(random, LISTS)
  const metas = some(random, METAS)
  const generator = random() < 0.3 ? pick(random, [...LISTS, ...PROPS]) : undefined
  const modules = [...props, ...lists, ...metas]
  const names = (chosen: readonly { readonly name: string }[]): string =>
    chosen.map(({ name }) => name).join('|')
  return [
    ['prop', names(props)],
    ['list', names(lists)],
    ['meta', names(metas)],
    ...(generator === undefined ? [] : ([['generator', generator.name]] satisfies [string, string][])),
    ...modules.flatMap((module) => fieldsOf(random, module, odd)),
    ...(generator === undefined
      ? []
      : fieldsOf(random, { ...generator, prefix: `g${generator.prefix}` }, odd)),
  ]
}

const some = <Item>(random: Random, items: readonly Item[]): Item[] =>
  Array.from({ length: pick(random, [0, 0, 1, 1, 2]) }, () => pick(random, items))

function fieldsOf(
  random: Random,
  { prefix, parameters }: { readonly prefix: string; readonly parameters: ParameterTable },
  odd: () => string,
): [string, string][] {
  const wanted = Object.entries(parameters).filter(
    ([, { isRequired }]) => random() < (isRequired ? 0.9 : 0.25),
  )
  return wanted.map(([name, parameter]) => [prefix + name, valueOf(random, parameter, odd, name)])
}

function valueOf(random: Random, parameter: Parameter<unknown>, odd: () => string, name = ''): string {
  if (random() < 0.1) return odd()
  const count = parameter.isMulti ? pick(random, [1, 2, 3, 60]) : 1
  return Array.from({ length: count }, () => encodeURIComponent(soundValue(random, parameter, name))).join(
    '|',
  )
}

function soundValue(random: Random, { kind, words }: Parameter<unknown>, name: string): string {
  if (name.includes('continue')) return pick(random, PLACES)
  switch (kind) {
    case 'choice':
      return pick(random, [...words, '*'])
    case 'integer':
    case 'limit':
    case 'namespace':
      return pick(random, NUMBERS)
    case 'timestamp':
      return pick(random, TIMES)
    case 'title':
      return pick(random, TITLES)
    case 'flag':
      return '1'
    case 'text':
    case 'user':
    case 'upload':
      return pick(random, [...TEXTS, ...TITLES])
  }
}

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!
