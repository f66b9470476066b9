/** The parameters of all modules, for the description of the API and for forms. */
import type { QueryDoc } from '../openapi/describedRoute.js'
import type { JsonSchema } from '../request/params.js'
import type { Parameter, ParameterTable } from './frame/declaration.js'
import { FORMAT_PARAMETERS, MAIN_PARAMETERS } from './mainParameters.js'
import { ACTIONS } from './modules.js'
import type { QueryModule } from './query/module.js'
import { LISTS, METAS, PROPS } from './query/modules.js'
import { escapeHtml } from '../../domain/html.js'

const MODULES: readonly QueryModule[] = [...PROPS, ...LISTS, ...METAS]

interface Documented {
  readonly doc: QueryDoc
  readonly isSecret: boolean
}

/** By name. Modules that share a name take the same things by it. */
function documented(): ReadonlyMap<string, Documented> {
  const docs = new Map<string, Documented>()
  const add = (table: ParameterTable, prefix: string, of: string): void => {
    for (const [name, parameter] of Object.entries(table)) {
      const isGone = parameter.isDeprecated || parameter.help === 'without effect' || docs.has(prefix + name)
      if (isGone) continue
      const description = of === '' ? parameter.help : `of \`${of}\`: ${parameter.help}`
      docs.set(prefix + name, {
        doc: { name: prefix + name, description, schema: schemaOf(parameter) },
        isSecret: parameter.isSecret,
      })
    }
  }
  const action = {
    action: {
      name: 'action',
      description: 'what to do',
      schema: { enum: [...ACTIONS.map(({ name }) => name), 'help'] },
    },
  }
  docs.set('action', { doc: action.action, isSecret: false })
  const format = {
    name: 'format',
    description: 'of the answer',
    schema: { enum: ['json', 'jsonfm', 'none'] },
  }
  docs.set('format', { doc: format, isSecret: false })
  add(FORMAT_PARAMETERS, '', '')
  add(MAIN_PARAMETERS, '', '')
  for (const { name, parameters } of ACTIONS) add(parameters, '', name)
  for (const { name, prefix, parameters } of MODULES) add(parameters, prefix, name)
  return docs
}

function schemaOf({ kind, words, isMulti, min, max }: Parameter<unknown>): JsonSchema {
  // A list has bars between its values, and a limit may be `max`.
  if (isMulti || kind === 'limit') return { type: 'string' }
  if (kind === 'choice') return { enum: [...words] }
  if (kind !== 'integer') return { type: 'string' }
  return {
    type: 'integer',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  }
}

const DOCS = [...documented().values()]
export const QUERY_DOCS: readonly QueryDoc[] = DOCS.filter(({ isSecret }) => !isSecret).map(({ doc }) => doc)
export const FORM_DOCS: readonly QueryDoc[] = DOCS.map(({ doc }) => doc)

/** Of all fields that some module reads, also as a generator. */
export const ALL_NAMES: readonly string[] = [
  ...new Set([
    'action',
    'format',
    'token',
    ...Object.keys(FORMAT_PARAMETERS),
    ...Object.keys(MAIN_PARAMETERS),
    ...ACTIONS.flatMap(({ parameters }) => Object.keys(parameters)),
    ...MODULES.flatMap(({ prefix, parameters }) =>
      Object.keys(parameters).flatMap((name) => [prefix + name, `g${prefix}${name}`]),
    ),
  ]),
]

// `action=help`: all modules and what they take, as a page for people.

export function helpPage(apiUrl: string): string {
  const group = (title: string, modules: readonly QueryModule[]): string =>
    `<h2>${title}</h2>${modules.map(({ name, summary, prefix, parameters }) => part(name, summary, prefix, parameters)).join('')}`
  const actions = ACTIONS.map(({ name, summary, parameters }) =>
    part(`action=${name}`, summary, '', parameters),
  )
  const url = escapeHtml(apiUrl)
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>API help</title></head><body>
<h1>Action API</h1>
<p>Example: <a href="${url}?action=query&amp;meta=siteinfo&amp;format=json">${url}?action=query&amp;meta=siteinfo&amp;format=json</a></p>
${part('All requests', 'Parameters of all modules.', '', MAIN_PARAMETERS)}
<h2>Actions</h2>${actions.join('')}
${group('prop=', PROPS)}${group('list=', LISTS)}${group('meta=', METAS)}
</body></html>
`
}

function part(name: string, summary: string, prefix: string, parameters: ParameterTable): string {
  const rows = Object.entries(parameters).map(
    ([parameter, { help, words, default: fallback }]) =>
      `<dt><code>${prefix}${parameter}</code></dt><dd>${escapeHtml(help)}${words.length > 0 ? `: ${escapeHtml(words.join(', '))}` : ''}${fallback === undefined || fallback === '' ? '' : ` (default: ${escapeHtml(fallback)})`}</dd>`,
  )
  return `<h3 id="${escapeHtml(name)}">${escapeHtml(name)}</h3><p>${escapeHtml(summary)}</p><dl>${rows.join('')}</dl>`
}
