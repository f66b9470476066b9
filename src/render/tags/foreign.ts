/** Tags of extensions that are not here: a visible, safe stand-in for what they would show. */
import { escapeHtml } from '../../domain/html.js'
import { MAX_TAG_LENGTH, type ExtensionTag } from './tag.js'

/** Tags whose content is for machines, or which only mark a place: nothing is lost when it is not shown. */
const SILENT: ReadonlySet<string> = new Set(['section', 'templatedata'])

/** Content that runs over lines is shown in a block of its own. */
export function renderForeign({ name, content }: ExtensionTag): string {
  if (SILENT.has(name) || content.trim() === '') return ''
  const text = escapeHtml(content.slice(0, MAX_TAG_LENGTH))
  const element = content.includes('\n') ? 'pre' : 'code'
  return `<${element} class="mw-ext-unsupported" data-mw-tag="${escapeHtml(name)}">${text}</${element}>`
}

/** Splits the source of a tag as it stands in a page. */
export function parseTag(source: string): ExtensionTag {
  const [start = '', name = ''] = /^<([^\s/<>]+)[^>]*>/.exec(source) ?? []
  const end = source.toLowerCase().lastIndexOf(`</${name.toLowerCase()}`)
  const content = end < start.length ? '' : source.slice(start.length, end)
  return { name: name.toLowerCase(), attributes: new Map(), content }
}
