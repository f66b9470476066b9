/**
 * Runs benches on two commits, each time in fresh processes and in alternating order, and compares the medians. `make
 * bench-compare REF=…` calls it.
 *
 *     node bench/compare.mjs REF [NAME…] [--rounds N] [--seconds S]
 *
 * REF: the commit to compare the checkout with. NAME, --rounds and --seconds are those of run.mjs. Each bench runs once
 * a round on each side.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const NAME_FIELDS = ['server', 'route', 'task', 'neighbour', 'name', 'step', 'dump']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, seconds: { type: 'string' } },
})
const [ref, ...names] = positionals
if (ref === undefined) throw new Error('usage: node bench/compare.mjs REF [NAME…] [--rounds N] [--seconds S]')
compare(ref)

function compare(commit) {
  const results = join(ROOT, 'bench/results')
  mkdirSync(results, { recursive: true })
  const tree = mkdtempSync(join(results, 'compare-'))
  try {
    run('git', ['worktree', 'add', '--quiet', '--detach', tree, commit], ROOT)
    // Benches look for dumps beside their own repository.
    symlinkSync(join(ROOT, '../shared'), join(tree, '../shared'))
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
    const sides = [
      { name: commit, folder: tree, medians: new Map() },
      { name: 'checkout', folder: ROOT, medians: new Map() },
    ]
    for (const { folder } of sides) run('npm', ['run', '--silent', 'build'], folder)
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) measure(side)
    }
    print(sides)
  } finally {
    rmSync(join(tree, '../shared'), { force: true })
    spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: ROOT })
  }
}

/** Runs the chosen benches once, and adds the median of each figure. */
function measure({ name, folder, medians }) {
  console.log(`\n==== ${name}`)
  const startedMs = Date.now()
  const seconds = values.seconds === undefined ? [] : ['--seconds', values.seconds]
  run(process.execPath, ['bench/run.mjs', ...names, '--rounds', '1', ...seconds], folder)
  const results = join(folder, 'bench/results')
  for (const file of readdirSync(results).filter((entry) => entry.endsWith('.json'))) {
    // Other files are results of earlier runs.
    if (statSync(join(results, file)).mtimeMs < startedMs) continue
    const { bench, summary } = JSON.parse(readFileSync(join(results, file), 'utf8'))
    collect(summary, [bench], (figure, median) => {
      medians.set(figure, [...(medians.get(figure) ?? []), median])
    })
  }
}

/** Calls `tell` with each median and the name of its figure. */
function collect(value, path, tell) {
  if (typeof value !== 'object' || value === null) return
  if (typeof value.median === 'number') return tell(path.join(' / '), value.median)
  const own = NAME_FIELDS.filter((field) => typeof value[field] === 'string').map((field) => value[field])
  for (const [key, part] of Object.entries(value)) {
    collect(part, [...path, ...own, ...(Array.isArray(value) ? [] : [key])], tell)
  }
}

function print([before, after]) {
  console.log(`\n| figure | ${before.name} | ${after.name} | ratio |\n|---|---:|---:|---:|`)
  for (const [figure, samples] of before.medians) {
    const others = after.medians.get(figure)
    if (others === undefined) continue
    const [a, b] = [middle(samples), middle(others)]
    console.log(`| ${figure} | ${a.toPrecision(4)} | ${b.toPrecision(4)} | ${(b / a).toFixed(3)} |`)
  }
}

function middle(samples) {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return (sorted[Math.floor(at)] + sorted[Math.ceil(at)]) / 2
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}
