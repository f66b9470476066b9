/** `action=paraminfo`: the declarations of modules for programs. */
import { type ActionModule, defineAction } from '../frame/call.js'
import {
  choiceOr,
  deprecated,
  flag,
  type Parameter,
  type ParameterTable,
  texts,
} from '../frame/declaration.js'
import type { Fields } from '../frame/values.js'
import { LISTS, METAS, PROPS } from '../query/modules.js'
import type { QueryModule } from '../query/module.js'
import { FORMAT_PARAMETERS } from '../mainParameters.js'

const FORMATS = ['json', 'jsonfm', 'none'] as const

/** `actions` gives the modules of `action=`, which themselves include this one. */
export const paramInfoOf = (actions: () => readonly ActionModule[], main: ParameterTable): ActionModule =>
  defineAction({
    name: 'paraminfo',
    summary: 'What modules take',
    parameters: {
      modules: texts('paths such as `query+allpages`; `query+*` means all'),
      helpformat: choiceOr('none', ['html', 'wikitext', 'raw', 'none'], 'without effect'),
      querymodules: deprecated(texts('as `modules`, without `query+`')),
      mainmodule: deprecated(flag('as `modules=main`')),
      pagesetmodule: deprecated(flag('parameters that name pages')),
      formatmodules: deprecated(texts('as `modules`')),
    },
    run(call, { modules = [], querymodules, mainmodule, pagesetmodule, formatmodules }) {
      const described = new Described(actions(), main)
      const found: Fields[] = []
      for (const path of modules) {
        const infos = described.at(path)
        if (infos.length === 0)
          call.warnings.add(
            'paraminfo',
            'missing',
            `The module "main" does not have a submodule "${path.slice(0, 100)}".`,
          )
        found.push(...infos)
      }
      const list = (paths: readonly string[], prefix = ''): Fields[] =>
        paths.flatMap((path) => described.at(prefix + path))
      return {
        paraminfo: {
          helpformat: 'none',
          ...(modules.length > 0 && { modules: found }),
          ...(querymodules && { querymodules: list(querymodules, 'query+') }),
          ...(formatmodules && { formatmodules: list(formatmodules) }),
          ...(mainmodule && { mainmodule: list(['main'])[0] }),
          ...(pagesetmodule && { pagesetmodule: list(['query'])[0] }),
        },
      }
    },
  })

class Described {
  readonly #actions: readonly ActionModule[]
  readonly #main: ParameterTable

  constructor(actions: readonly ActionModule[], main: ParameterTable) {
    this.#actions = actions
    this.#main = main
  }

  at(path: string): Fields[] {
    if (path === 'main')
      return [infoOf({ name: 'main', path, group: '', prefix: '', parameters: this.#main })]
    if (path === 'query+*' || path === 'query+**') return QUERY_MODULES.map(ofQuery)
    const inQuery = /^query\+(.+)$/.exec(path)?.[1]
    if (inQuery !== undefined) {
      const module = QUERY_MODULES.find(({ name }) => name === inQuery)
      return module === undefined ? [] : [ofQuery(module)]
    }
    if ((FORMATS as readonly string[]).includes(path))
      return [infoOf({ name: path, path, group: 'format', prefix: '', parameters: FORMAT_PARAMETERS })]
    const action = this.#actions.find(({ name }) => name === path)
    if (action === undefined) return []
    const { name, parameters, summary, mustBePosted = false } = action
    return [
      {
        ...infoOf({ name, path, group: 'action', prefix: '', parameters, summary }),
        mustbeposted: mustBePosted,
      },
    ]
  }
}

const QUERY_MODULES: readonly QueryModule[] = [...PROPS, ...LISTS, ...METAS]

function ofQuery(module: QueryModule): Fields {
  const { name, prefix, parameters, summary, kind } = module
  const group = kind === 'list' || kind === 'meta' ? kind : 'prop'
  const isGenerator = 'isGenerator' in module && module.isGenerator
  const path = `query+${name}`
  return {
    ...infoOf({ name, path, group, prefix, parameters, summary }),
    ...(isGenerator && { generator: true }),
  }
}

interface Shown {
  readonly name: string
  readonly path: string
  readonly group: string
  readonly prefix: string
  readonly parameters: ParameterTable
  readonly summary?: string
}

function infoOf({ name, path, group, prefix, parameters, summary = '' }: Shown): Fields {
  return {
    name,
    classname: `Api${name[0]?.toUpperCase()}${name.slice(1)}`,
    path,
    group,
    prefix,
    source: 'Palimpsest',
    sourcename: 'Palimpsest',
    licensetag: 'GPL-3.0-or-later',
    readrights: true,
    description: summary,
    helpurls: [],
    examples: [],
    parameters: Object.entries(parameters).map(([parameter, declared], at) =>
      parameterInfo(parameter, declared, at + 1),
    ),
  }
}

const TYPES = { flag: 'boolean', text: 'string', title: 'title' } as const

function parameterInfo(name: string, declared: Parameter<unknown>, index: number): Fields {
  const { kind, words, min, max, isMulti, isRequired, isDeprecated, default: fallback, maxValues } = declared
  const number = kind === 'integer' || kind === 'limit'
  const isPlain = kind === 'flag' || kind === 'text' || kind === 'title'
  return {
    index,
    name,
    description: declared.help,
    type: kind === 'choice' ? words : isPlain ? TYPES[kind] : kind,
    required: isRequired,
    multi: isMulti,
    ...(fallback !== undefined && { default: number ? Number(fallback) : fallback }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max, highmax: max }),
    ...(isMulti && { limit: maxValues, lowlimit: maxValues, highlimit: 500 }),
    ...(isDeprecated && { deprecated: true }),
  }
}
