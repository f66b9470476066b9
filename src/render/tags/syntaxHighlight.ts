/** `<syntaxhighlight>` and its old name `<source>`: code highlighted by highlight.js. */
import { createRequire } from 'node:module'
import type { HLJSApi, LanguageFn } from 'highlight.js'
import { escapeHtml } from '../../domain/html.js'
import type { ExtensionTag } from './tag.js'

// Maps MediaWiki's language names, which are those of Pygments, to grammars of highlight.js. Names that are the same in
// both are not listed.

/** Names by grammar that highlight.js lacks, or knows only once the grammar is loaded. */
const NAMES_BY_GRAMMAR: Readonly<Record<string, string>> = {
  actionscript: 'as',
  ada: 'ada95 ada2005',
  angelscript: 'asc pem',
  apache: 'apacheconf aconf',
  autohotkey: 'ahk',
  awk: 'gawk mawk nawk',
  axapta: 'xpp x++',
  bash: 'ksh openrc csh tcsh',
  basic: 'qbasic',
  brainfuck: 'bf',
  capnproto: 'capnp',
  clojure: 'clj',
  coffeescript: 'coffee coffee-script',
  coq: 'rocq rocq-prover',
  cpp: 'cuda cu',
  crmsh: 'pcmk',
  crystal: 'cr',
  delphi: 'pas pascal objectpascal',
  diff: 'udiff',
  django: 'jinja html+django html+jinja htmldjango',
  dns: 'zone',
  dockerfile: 'docker',
  dos: 'bat batch dosbatch winbatch',
  dts: 'devicetree',
  elixir: 'ex exs',
  erb: 'rhtml html+erb html+ruby',
  erlang: 'erl',
  fortran: 'f90',
  freedesktop: 'desktop systemd',
  fsharp: 'f#',
  gherkin: 'cucumber',
  handlebars: 'html+handlebars',
  haskell: 'hs',
  haxe: 'hx hxsl',
  hy: 'hylang',
  inform7: 'i7',
  ini: 'cfg dosini',
  javascript: 'react',
  json: 'json-object',
  julia: 'jl',
  'julia-repl': 'jlcon',
  lasso: 'lassoscript',
  latex: 'tex',
  lisp: 'common-lisp cl elisp emacs emacs-lisp',
  livescript: 'live-script',
  makefile: 'mf bsdmake',
  mathematica: 'mma nb wl wolfram',
  matlab: 'octave',
  maxima: 'macsyma',
  mipsasm: 'mips',
  moonscript: 'moon',
  nestedtext: 'nt',
  nim: 'nimrod',
  nix: 'nixos',
  nsis: 'nsi nsh',
  objectivec: 'objective-c objectivec++ objc++ objective-c++ objective-j objectivej objj',
  pgsql: 'postgresql postgres psql postgresql-console',
  php: 'php3 php4 php5',
  'php-template': 'html+php',
  powershell: 'pwsh posh ps1 psm1',
  properties: 'jproperties',
  protobuf: 'proto',
  python: 'python3 py3 python2 py2 sage bazel starlark pyi cython pyx',
  'python-repl': 'python-console',
  qml: 'qbs',
  r: 's splus',
  reasonml: 'reason',
  ruby: 'rbcon duby',
  scheme: 'scm racket rkt',
  scss: 'sass',
  shell: 'shell-session',
  smalltalk: 'st squeak',
  sql: 'mysql tsql t-sql sqlite3',
  stata: 'do',
  twig: 'html+twig',
  vala: 'vapi',
  vbnet: 'vb.net lobas oobas sobas visual-basic visualbasic',
  verilog: 'v sv systemverilog',
  x86asm: 'asm nasm gas',
  xml: 'html5 html4strict xslt vue',
  xquery: 'xqy xq xql xqm',
}

/** Names that MediaWiki knows and this server shows without highlighting. */
const UNMARKED =
  `text output wikitext mediawiki abap agda apl bbcode befunge bib bibtex boo chapel cobol dot dylan eiffel factor fish forth gettext gnuplot
   graphviz hcl hlsl idl idris io irc j jcl jsonnet lean mako modula2 pot po pov rebol red restructuredtext rest rexx rst
   sed solidity sparql terraform tf turtle zig`.split(/\s+/)

/** All listed names with their grammars. */
export const GRAMMARS: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES_BY_GRAMMAR).flatMap(([grammar, names]) =>
    names.split(' ').map((name) => [name, grammar] as const),
  ),
)
const UNMARKED_NAMES: ReadonlySet<string> = new Set(UNMARKED)

/** The grammar for a name in lower case; may be the name itself. Undefined: no highlighting. */
function grammarOf(name: string): string | undefined {
  return UNMARKED_NAMES.has(name) ? undefined : (GRAMMARS.get(name) ?? name)
}

/** True for a language that is shown without highlighting. */
function isUnmarked(name: string): boolean {
  return UNMARKED_NAMES.has(name)
}

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
