/** Tags of missing extensions: a visible and safe placeholder for their content. */
import { escapeHtml } from '../../domain/html.js'
import { MAX_TAG_LENGTH, type ExtensionTag } from './tag.js'

/** Tags for machines, or tags that only mark a position; nothing is shown for them. */
const SILENT: ReadonlySet<string> = new Set(['section', 'templatedata'])

/** Content of several lines becomes a block. */
export function renderForeign({ name, content }: ExtensionTag): string {
  if (SILENT.has(name) || content.trim() === '') return ''
  const text = escapeHtml(content.slice(0, MAX_TAG_LENGTH))
  const element = content.includes('\n') ? 'pre' : 'code'
  return `<${element} class="mw-ext-unsupported" data-mw-tag="${escapeHtml(name)}">${text}</${element}>`
}

/** Splits the source of a tag as a page contains it. */
export function parseTag(source: string): ExtensionTag {
  const [start = '', name = ''] = /^<([^\s/<>]+)[^>]*>/.exec(source) ?? []
  const end = source.toLowerCase().lastIndexOf(`</${name.toLowerCase()}`)
  const content = end < start.length ? '' : source.slice(start.length, end)
  return { name: name.toLowerCase(), attributes: new Map(), content }
}
