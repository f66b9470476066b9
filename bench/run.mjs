/**
 * Runs the benches in a fixed order, each in its own process. `make bench` calls it.
 *
 *     node bench/run.mjs [NAME…] [--rounds N] [--seconds S] [--history] [--mediawiki URL]
 *
 * NAME: run only benches whose name contains it, such as `import` or `functions`. Every bench gets the flags; only one
 * needs the URL.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const BENCHES = [
  'functions/titles.bench',
  'functions/lineDelta.bench',
  'functions/prepareEdit.bench',
  'functions/preprocess.bench',
  'functions/diff.bench',
  'functions/search.bench',
  'search/quality',
  'http/page.load',
  'http/size.load',
  'http/mediawiki.load',
  'http/routes.load',
  'http/settings.load',
  'http/html.load',
  'http/reader.load',
  'http/search.load',
  'http/compare.load',
  'http/edit.load',
  'http/isolation.load',
  'start.bench',
  'import.bench',
  'unpack.bench',
  'follow.bench',
  'sqlImport.bench',
]
/** These take many minutes, and run only if their name is given. */
const LONG_BENCHES = [
  'snapshots.bench',
  'memory.load',
  'follow/catchUp',
  'follow/live',
  'follow/reads.load',
  'large/reads.load',
  'large/writes.bench',
  'cluster/edits.load',
  'cluster/nodes.load',
  'cluster/costs.load',
  'reader/paint',
  'render/sample',
  'render/scriptErrors',
  'render/hostile',
  'render/flood',
  'render/cold',
  'render/lua',
]
const HELP = `Usage: node bench/run.mjs [NAME…] [options]

Runs the benches whose name holds a NAME, such as import or functions; without one, all but the long ones. Each
prints tables and writes bench/results/<name>.json; at the end bench/results/report.html shows all.

  --rounds N        rounds of every comparison
  --seconds S       length of one sample of a load or a function
  --history         the import: the large history too
  --corpus NAME     render/sample: only the corpus with NAME in its name
  --pages N         render/sample: N pages of each corpus
  --requests N      memory: number of requests of a run
  --work NAME       http/isolation: only the work with NAME in its name, such as edits
  --mediawiki URL   rest.php of a MediaWiki that runs, for http/mediawiki.load and render/lua
  -h, --help        this text

Benches: ${BENCHES.join(', ')}
Only when named, since they take many minutes: ${LONG_BENCHES.join(', ')}`
const BUILT = join(import.meta.dirname, 'results/build/bench')
const COMPILER = join(import.meta.dirname, '../node_modules/typescript/bin/tsc')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    history: { type: 'boolean' },
    corpus: { type: 'string' },
    pages: { type: 'string' },
    requests: { type: 'string' },
    work: { type: 'string' },
    mediawiki: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const all = [...BENCHES, ...LONG_BENCHES]
const chosen =
  positionals.length === 0 ? BENCHES : all.filter((name) => positionals.some((part) => name.includes(part)))
if (chosen.length === 0) throw new Error(`no bench has such a name; there are ${all.join(', ')}`)

let current
let stopped = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    stopped = true
    // The bench ends its processes, then itself. A terminal has already sent it the signal.
    current?.kill(signal)
  })
}

if (await run('compiling the benches', [COMPILER, '-p', import.meta.dirname])) {
  for (const [number, name] of chosen.entries()) {
    if (!stopped)
      await run(`[${number + 1}/${chosen.length}] ${name}`, [join(BUILT, `${name}.js`), ...flags(name)])
  }
  if (!stopped) await run('drawing the report', [join(import.meta.dirname, 'report.mjs')])
}

/** Runs a script to its end. After all benches have run, a failure shows in the exit status. */
async function run(title, args) {
  console.log(`\n== ${title}`)
  current = spawn(process.execPath, args, { stdio: 'inherit' })
  const [status] = await once(current, 'close')
  if (status !== 0) {
    console.log(`== ${title}: failed`)
    process.exitCode = 1
  }
  return status === 0
}

function flags(name) {
  const { rounds, seconds, history, corpus, pages, requests, work, mediawiki } = values
  return [
    ...(rounds === undefined ? [] : ['--rounds', rounds]),
    ...(seconds === undefined ? [] : ['--seconds', seconds]),
    ...(history ? ['--history'] : []),
    ...(corpus === undefined ? [] : ['--corpus', corpus]),
    ...(pages === undefined ? [] : ['--pages', pages]),
    ...(requests === undefined ? [] : ['--requests', requests]),
    ...(work === undefined ? [] : ['--work', work]),
    ...(mediawiki !== undefined && (name.includes('mediawiki') || name === 'render/lua')
      ? ['--mediawiki', mediawiki]
      : []),
  ]
}
