/** Expanding templates: the first step of each rendering. */
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { Namespaces } from '../../src/domain/namespaces.js'
import { parseTitle, type Title } from '../../src/domain/title.js'
import { parseTree } from '../../src/render/preprocessor/parser.js'
import { preprocess } from '../../src/render/preprocessor/preprocessor.js'
import { EXTENSION_TAGS } from '../../src/domain/extensionTags.js'
import { TreeCache } from '../../src/render/preprocessor/treeCache.js'
import { type MemoryWiki, wikiOf, wikiOfDump } from '../support/dumpWiki.js'
import { type FunctionTask, measureFunctions } from '../support/functionBench.js'
import { readOptions } from '../support/options.js'
import { randomNumbers } from '../support/random.js'
import { findDump } from '../support/repository.js'
import { wikiLines } from '../support/text.js'

const DUMP = 'demo-wikipedia-sample.xml.bz2'
/** One of this many pages of the dump is measured. */
const EVERY = 25
const namespaces = new Namespaces(DEFAULT_SITE)
const prose = wikiLines(20_000, randomNumbers(1)).join('\n')
const rows = Array.from(
  { length: 20 },
  (_, n) => `{{#if:{{{row${n}|}}}|{{!}}-\n! Row ${n}\n{{!}} {{{row${n}}}}}}`,
)
const cases = Array.from({ length: 300 }, (_, n) => `|case ${n}=value ${n}`)

const TEMPLATES: Readonly<Record<string, string>> = {
  'Template:Infobox': `{| class="infobox"\n|+ {{{name|{{PAGENAME}}}}}\n${rows.join('\n')}\n|}<noinclude>Notes.</noinclude>`,
  'Template:Cite': `<cite>{{#if:{{{author|}}}|{{{author}}}: }}{{#if:{{{url|}}}|[{{{url}}} {{{title}}}]|''{{{title}}}''}}{{#if:{{{year|}}}|&nbsp;({{#ifexpr:{{{year}}}<1000|c.&nbsp;}}{{{year}}})}}.</cite>`,
  'Template:Choice': `{{#switch:{{{1}}}${cases.join('')}|#default=none}}`,
  'Template:Nest': '{{#ifexpr:{{{1}}}>0|({{{1}}}){{Nest/deeper|{{#expr:{{{1}}}-1}}}}|end}}',
  'Template:Nest/deeper': '[{{{1}}}]',
}

const wiki = wikiOf(
  Object.entries(TEMPLATES).map(([name, text]) => ({ title: titled(name), text, contentModel: 'wikitext' })),
  namespaces,
)
const infobox = `{{Infobox|name=Moon${Array.from({ length: 20 }, (_, n) => `|row${n}=value ${n}`).join('')}}}`
const citation = '{{Cite|author=A. Lee|title=Phases of the moon|year=1969|url=http://moon.example/}}'

const tasks: FunctionTask[] = [
  { name: 'parseTree(20 kB of prose)', calls: 1, run: () => parse(prose).length },
  { name: 'parseTree(20 kB of citations)', calls: 1, run: () => parse(citation.repeat(240)).length },
  taskOf('20 kB of prose', prose),
  taskOf('an infobox of 20 rows', infobox),
  taskOf('100 citations', citation.repeat(100)),
  taskOf('100 times #switch with 300 cases', '{{Choice|case 250}}'.repeat(100)),
  taskOf('100 times #expr', Array.from({ length: 100 }, (_, n) => `{{Nest|${n}}}`).join('')),
]
const dump = findDump(DUMP)
if (dump) tasks.push(taskOfWiki(await wikiOfDump(dump)))
measureFunctions('preprocess', tasks, readOptions())

function taskOf(name: string, text: string): FunctionTask {
  const page = { title: titled('Sample page'), id: undefined, revision: undefined }
  return {
    name: `preprocess(${name})`,
    calls: 1,
    run: () => preprocess(text, page, wiki.source).wikitext.length,
  }
}

/** Expands some pages of a wiki in one run, and keeps the trees of templates between pages. Times are for one page. */
function taskOfWiki({ pages, source }: MemoryWiki): FunctionTask {
  const wikitext = pages.filter(({ contentModel }, n) => n % EVERY === 0 && contentModel === 'wikitext')
  const run = (): number => {
    const cache = new TreeCache()
    return wikitext.reduce(
      (sum, page) => sum + preprocess(page.text, page, source, { cache }).wikitext.length,
      0,
    )
  }
  return { name: `preprocess(each of ${wikitext.length} pages of a wiki)`, calls: wikitext.length, run }
}

function parse(text: string): readonly unknown[] {
  return parseTree(text, { inclusion: false, extensionTags: EXTENSION_TAGS, keepHidden: false })
}

function titled(text: string): Title {
  const parsed = parseTitle(text, namespaces)
  if (!parsed.ok) throw new Error(`${text} is no title`)
  return parsed.title
}
