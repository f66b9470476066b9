import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LOADS_UWS } from './test/support/loadsUws.js'
import { FAST_FILTER, filesOutside, REPEATS, TAGS, TIER } from './test/support/tiers.js'

/**
 * Ends what hangs, and nothing else: no test may fail on a slow or busy machine. So tests and hooks set no limits of their
 * own below this one, and nothing waits by a shorter limit for what must come.
 */
const HUNG_MS = 900_000

/** Conformance tests that run on uWebSockets.js too: those of sockets, and some of each kind of answer. */
const BY_UWS = ['socket', 'closing', 'lifecycle', 'http', 'hostile', 'hostileKeys', 'bodies', 'accessLog']
  .concat(['readLimit', 'conditional', 'media', 'page', 'history', 'edit', 'errors', 'health'])
  .concat([
    'reader',
    'readerViews',
    'readerForms',
    'clusterRoutes',
    'severalWikis',
    'frontDesk',
    'changeStream',
  ])
  .map((name) => `test/conformance/${name}.test.ts`)

/** Conformance tests that also run on a wiki below a path, beside another wiki. Answers are the same, but for the path. */
const AT_PATH = ['page', 'history', 'search', 'links', 'conditional', 'counts'].map(
  (name) => `test/conformance/${name}.test.ts`,
)

/** Conformance tests that also run as if no row were in memory (src/storage/tables/coldReads.ts). Answers are the same. */
const COLD = ['page', 'history', 'search', 'links', 'conditional', 'counts', 'revision', 'media']
  .concat(['reader', 'readerCategories', 'readerContent', 'errors', 'actionApi'])
  .map((name) => `test/conformance/${name}.test.ts`)

/**
 * Files that share processes, which saves the time that each file takes to load Vitest and the modules: 0.8 s of a
 * processor for a file that starts servers. State of modules stays from file to file there. So a file undoes what it
 * changes for all, and notes in `support/cleanUp.ts` what has to end. `conformance/html` replaces a module, which works
 * only before the module is loaded. Tests of dependencies and threads look at packages before anything is patched, and
 * tests that start PostgreSQL stand still in some shared processes.
 */
const SHARED = [
  'config',
  'diff',
  'domain',
  'edit',
  'index',
  'metrics',
  'reader',
  'wikitext',
  'render',
  'storage',
  'dump',
]
  .concat(['auth', 'files', 'http', 'import', 'runtime', 'sample', 'wiki', 'follow'])
  .map((folder) => `test/${folder}/**/*.test.ts`)
  .concat('test/conformance/!(html|clusterNodes).test.ts', 'test/docs/!(clusterRoles).test.ts')
  .concat('test/cli/!(cluster*).test.ts', 'test/cli/import/*.test.ts')

const ALL_PROJECTS = [
  { name: 'all', include: ['test/**/*.test.ts'], exclude: SHARED },
  { name: 'shared', include: SHARED, isolate: false },
  { name: 'uws', include: BY_UWS, isolate: false, env: { PALIMPSEST_HTTP: 'uws' } },
  { name: 'path', include: AT_PATH, isolate: false, env: { PALIMPSEST_TEST_WIKI: 'path' } },
  { name: 'cold', include: COLD, isolate: false, env: { PALIMPSEST_TEST_ROWS: 'cold' } },
]
const PROJECTS = ALL_PROJECTS.filter(({ name }) =>
  TIER === 'fast' ? !REPEATS.includes(name) : name !== 'uws' || LOADS_UWS,
)

export default defineConfig({
  test: {
    globalSetup: './test/support/compile.ts',
    setupFiles: './test/support/fileEnd.ts',
    reporters: ['default', './test/support/countReporter.ts'],
    testTimeout: HUNG_MS,
    hookTimeout: HUNG_MS,
    teardownTimeout: HUNG_MS,
    // The error of a poll says what was there last; that of a test does not.
    expect: { poll: { timeout: HUNG_MS / 2 } },
    pool: 'forks',
    // Vitest alone would leave one processor free, which on two is half of them.
    maxWorkers: availableParallelism(),
    // `include` stands in each project: lists of the root are added to those of a project.
    tags: TAGS,
    ...(TIER === 'fast' && { tagsFilter: [FAST_FILTER] }),
    projects: PROJECTS.map(({ exclude = [], ...test }) => {
      const outside = REPEATS.includes(test.name) ? [] : filesOutside(TIER)
      return { extends: true, test: { ...test, exclude: [...exclude, ...outside] } }
    }),
  },
})
