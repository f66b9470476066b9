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
  'http/reads.load',
  'http/isolation.load',
  'start.bench',
  'import.bench',
  'sqlImport.bench',
]
/** These take many minutes, and run only if their name is given. */
const LONG_BENCHES = [
  'http/libraries.load',
  'memory.load',
  'follow/catchUp',
  'large/reads.load',
  'large/wiki.load',
  'cluster/edits.load',
  'cluster/nodes.load',
  'reader/paint',
  'render/sample',
  'render/cold',
  'render/lua',
]
const HELP = `Usage: node bench/run.mjs [NAME…] [options]

Runs the benches whose name holds a NAME, such as import or functions; without one, all but the long ones. Each
prints tables and writes bench/results/<name>.json.

  --rounds N        rounds of every comparison
  --seconds S       length of one sample of a load or a function
  --history         the import: the large history too
  --corpus NAME     render/sample: only the corpus with NAME in its name
  --pages N         render/sample, render/cold: N pages of each corpus; large/*: pages of the wiki
  --requests N      memory: number of requests of a run
  --only NAME       http/reads: only the table, http/isolation: only the work with NAME in its name
  --mediawiki URL   rest.php of a MediaWiki that runs, for http/reads and render/lua
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
    only: { type: 'string' },
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

/** The flags for a bench: those that were given, but for the URL that two benches alone take. */
function flags(name) {
  const { mediawiki, ...others } = values
  const given = Object.entries(others).flatMap(([flag, value]) =>
    value === true ? [`--${flag}`] : [`--${flag}`, value],
  )
  const takesUrl = mediawiki !== undefined && (name === 'http/reads.load' || name === 'render/lua')
  return takesUrl ? [...given, '--mediawiki', mediawiki] : given
}
