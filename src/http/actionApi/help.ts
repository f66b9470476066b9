/** `action=help`: all modules and what they take, as a page for people. */
import { escapeHtml } from '../../domain/html.js'
import type { ParameterTable } from './frame/declaration.js'
import { MAIN_PARAMETERS } from './mainParameters.js'
import { ACTIONS } from './modules.js'
import type { QueryModule } from './query/module.js'
import { LISTS, METAS, PROPS } from './query/modules.js'

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
