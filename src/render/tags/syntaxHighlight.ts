/** `<syntaxhighlight>` and its old name `<source>`: code highlighted by highlight.js. */
import { createRequire } from 'node:module'
import type { HLJSApi, LanguageFn } from 'highlight.js'
import { escapeHtml } from '../../domain/html.js'
import { grammarOf, isUnmarked } from './codeLanguages.js'
import type { ExtensionTag } from './tag.js'

/** Longer code is not highlighted, since some grammars take more than linear time. */
const MAX_MARKED_LENGTH = 50_000
const LANGUAGE_NAME = /^[a-z0-9+#.-]{1,30}$/

export function renderSyntaxHighlight({ attributes, content }: ExtensionTag): string {
  const language = (attributes.get('lang') ?? '').trim().toLowerCase()
  const inline = attributes.has('inline') || attributes.get('enclose') === 'none'
  const code = inline ? content.trim() : content.replace(/^[ \t]*\n/, '').trimEnd()
  const marked = LANGUAGE_NAME.test(language) ? highlight(code, language) : undefined
  const isKnown = marked !== undefined || isUnmarked(language)
  const languageClass = !isKnown ? '' : ` mw-highlight-lang-${language.replace(/[^a-z0-9-]/g, '_')}`
  const html = marked ?? escapeHtml(code)
  if (inline) return `<code class="mw-highlight${languageClass} mw-content-ltr" dir="ltr">${html}</code>`
  const lines = attributes.has('line')
  const first = Number.parseInt(attributes.get('start') ?? '1', 10) || 1
  const body = lines ? numberLines(html, first) : html
  const classes = `mw-highlight${languageClass} mw-content-ltr${lines ? ' mw-highlight-lines' : ''}`
  return `<div class="${classes}" dir="ltr"><pre>${body}\n</pre></div>`
}

/** The code as highlighted HTML; undefined for an unknown language, and for long code. */
export function highlight(code: string, asked: string): string | undefined {
  const name = grammarOf(asked)
  if (code.length > MAX_MARKED_LENGTH || name === undefined) return undefined
  const hljs = loadHighlighter(name)
  if (hljs.getLanguage(name) === undefined) return undefined
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value
}

/** Loads the common languages on first use, and others on demand. */
function loadHighlighter(language: string): HLJSApi {
  const require = createRequire(import.meta.url)
  const hljs = require('highlight.js/lib/common') as HLJSApi
  if (hljs.getLanguage(language) === undefined && /^[a-z0-9-]+$/.test(language)) {
    try {
      hljs.registerLanguage(language, require(`highlight.js/lib/languages/${language}`) as LanguageFn)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return hljs
}

/** Adds line numbers at the start of each line. Highlighted spans may continue over line ends. */
function numberLines(html: string, first: number): string {
  const lines = html.split('\n')
  return lines.map((line, n) => `<span class="linenos" data-line="${first + n}"></span>${line}`).join('\n')
}
