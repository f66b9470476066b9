import { dirname, relative, resolve } from 'node:path'
import * as parser from '@typescript-eslint/parser'

/**
 * Who may import whom: each folder of src names the folders it may use (itself is always allowed). A test compares this
 * with the table of docs/architecture.md and with the real imports.
 * Folders that do no input or output must not import Node's modules for it either.
 */
export const MAY_IMPORT = {
  cli: [
    'app',
    'supervisor',
    'import',
    'export',
    'follow',
    'cluster',
    'log',
    'auth',
    'config',
    'dump',
    'storage',
    'files',
  ].concat(['workers', 'domain', 'diff', 'runtime']),
  supervisor: ['app', 'config', 'metrics', 'storage', 'runtime'],
  app: [
    'http',
    'workers',
    'follow',
    'cluster',
    'auth',
    'storage',
    'render',
    'context',
    'metrics',
    'config',
    'runtime',
  ],
  export: ['dump', 'storage', 'domain', 'runtime'],
  import: ['dump', 'storage', 'files', 'workers', 'domain', 'runtime'],
  follow: ['storage', 'files', 'domain', 'metrics', 'runtime'],
  cluster: ['log', 'storage', 'files', 'domain', 'metrics', 'runtime'],
  metrics: [],
  http: [
    'reader',
    'wiki',
    'auth',
    'cluster',
    'context',
    'config',
    'metrics',
    'workers',
    'files',
    'edit',
    'domain',
  ].concat(['storage', 'runtime']),
  wiki: ['auth', 'context', 'log', 'workers', 'storage', 'files', 'edit', 'config', 'domain'],
  workers: [
    'cluster',
    'diff',
    'edit',
    'reader',
    'render',
    'wikitext',
    'files',
    'storage',
    'index',
    'domain',
    'metrics',
    'runtime',
  ],
  auth: ['log', 'context', 'storage', 'config', 'domain'],
  log: ['storage', 'runtime'],
  storage: ['domain', 'diff', 'wikitext', 'index', 'metrics', 'runtime'],
  files: ['domain', 'storage'],
  index: ['domain'],
  dump: ['domain', 'language', 'runtime'],
  diff: ['runtime'],
  edit: ['domain', 'language'],
  render: ['wikitext', 'domain', 'language', 'runtime'],
  wikitext: ['domain', 'language'],
  reader: ['domain'],
  config: ['runtime'],
  domain: ['language'],
  language: ['runtime'],
  runtime: [],
}
/**
 * The folders inside a room, from the lowest to the highest: each may import those before it. `.` stands for the files
 * directly in the room. A room without a row here is in no order yet.
 */
export const LAYERS = {
  dump: ['.', 'snapshot', 'sql'],
  follow: ['api', 'html', '.'],
  http: [
    'access',
    'reply',
    'coding',
    'request',
    'cache',
    'openapi',
    'views',
    'routing',
    'actionApi',
    'endpoints',
    'mcp',
    'reader',
    'frontDesk',
    'socket',
  ],
  index: ['text', 'rows', 'search', 'titles', 'write'],
  reader: ['assets', '.', 'markdown', 'parts', 'article', 'views'],
  language: ['.', 'variants'],
  render: ['variants', 'html', 'preprocessor', 'lua', 'tags', 'parsoid', 'imported', '.'],
  storage: [
    'rows',
    'tables',
    'file',
    'accounts',
    'entries',
    'sqlTables',
    'pages',
    'search',
    'changes',
    'categories',
    'links',
    'html',
    'upstream',
    '.',
    'indexing',
    'apply',
    'erase',
    'verify',
  ],
  workers: ['hosting', 'files', 'pages', 'index', 'writer', 'html', 'compute', 'expand', 'texts'],
}
const PURE = ['domain', 'diff', 'edit', 'reader', 'wikitext', 'render']
const IO_MODULES = [
  'node:fs',
  'node:fs/promises',
  'node:net',
  'node:http',
  'node:child_process',
  'node:worker_threads',
  'lmdb',
]

/** Limits of size. Blank lines and comments do not count. */
const FUNCTION_LINES = 60
const FILE_LINES = 500
const COMMENT_WIDTH = 120
const lines = (max) => ['error', { max, skipBlankLines: true, skipComments: true }]

const folders = Object.keys(MAY_IMPORT)
/** Files directly in src that only some folders may import. */
export const GUARDED_FILES = ['context']

/** Packages that one folder alone imports. */
const DRIVERS = {
  'http/socket/uws': 'uWebSockets.js',
  'log/postgres': 'pg',
  'http/mcp': '@modelcontextprotocol/server',
}

/** Rules for imports of a folder of src, or of a folder in it that may import one of the packages. */
function importRules(folder, driver) {
  const forbidden = [...folders, ...GUARDED_FILES].filter(
    (other) => other !== folder && !MAY_IMPORT[folder].includes(other),
  )
  const patterns = forbidden.map((other) => ({
    regex: GUARDED_FILES.includes(other) ? `^(\\.\\./)+${other}\\.js$` : `^(\\.\\./)+${other}/`,
    message: `src/${folder} may not import src/${other}: see docs/architecture.md`,
  }))
  for (const [place, name] of Object.entries(DRIVERS)) {
    const regex = `^${name.replace('.', '\\.')}(/|$)`
    if (place !== driver) patterns.push({ regex, message: `only src/${place} sees ${name}` })
  }
  const paths = PURE.includes(folder)
    ? IO_MODULES.map((name) => ({ name, message: `src/${folder} does no input or output` }))
    : []
  return {
    files: [`src/${driver ?? folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns, paths }] },
  }
}

const boundaries = [
  ...folders.map((folder) => importRules(folder)),
  ...Object.keys(DRIVERS).map((driver) => importRules(driver.split('/')[0], driver)),
]

/** The room and the folder in it that hold a file of src, or undefined: `http/reply/pages/x.js` is in `http`, `reply`. */
function placeOf(file) {
  const [top, room, folder, ...rest] = relative(import.meta.dirname, file).split('/')
  if (top !== 'src' || folder === undefined) return undefined
  return { room, folder: rest.length === 0 ? '.' : folder }
}

/** Imports inside a room go from the higher folders of LAYERS to the lower ones. */
const downward = {
  create(context) {
    const from = placeOf(context.filename)
    const layers = LAYERS[from?.room]
    if (layers === undefined) return {}
    const check = ({ source }) => {
      if (!source?.value?.startsWith?.('.')) return
      const to = placeOf(resolve(dirname(context.filename), source.value))
      if (to?.room !== from.room || to.folder === from.folder) return
      const [high, low] = [from, to].map(({ folder }) => layers.indexOf(folder))
      if (low >= 0 && low < high) return
      const message = `src/${from.room}/${from.folder} may not import its folder ${to.folder}: see LAYERS in eslint.config.js`
      context.report({ node: source, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    }
  },
}

/** The tables are for src/storage: all else asks the store, whose methods say what there is to know. */
const ONE_DOOR = 'only src/storage uses the tables of the store: give Store, or one of its readers, a method'

/**
 * Apply gives the same store on every machine, and from every replay. So what it is made of sees no clock, no chance, no
 * language of the machine and no process.
 */
const DETERMINISTIC = ['storage', 'domain', 'diff', 'index']
/** Files of src/storage around apply: locks between processes, new ids, figures, and the memory of the machine. */
const AROUND_APPLY = [
  'applyingRole',
  'entries/entryIds',
  'file/damagedPages',
  'indexing/rebuild',
  'lease',
  'openStore',
  'processMark',
  'search/searchIndex',
  'writeLock',
].map((name) => `src/storage/${name}.ts`)
const SAME_EVERYWHERE = 'apply must do the same on every machine: put it into the entry'
const OUTSIDE = ['performance', 'process', 'Intl', 'crypto', 'navigator']
const OUTSIDE_MODULES = ['node:os', 'node:process', 'node:perf_hooks']
const BY_LANGUAGE = ['localeCompare', 'getTimezoneOffset'].concat(
  ['String', 'DateString', 'TimeString', 'LowerCase', 'UpperCase'].map((what) => `toLocale${what}`),
)

const determinism = [
  {
    files: DETERMINISTIC.map((folder) => `src/${folder}/**/*.ts`),
    // Readers compare Thai texts; apply does not.
    ignores: [...AROUND_APPLY, 'src/diff/thaiSegmenter.ts'],
    rules: {
      'no-restricted-globals': ['error', ...OUTSIDE.map((name) => ({ name, message: SAME_EVERYWHERE }))],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: SAME_EVERYWHERE },
        { object: 'Date', property: 'now', message: SAME_EVERYWHERE },
        ...BY_LANGUAGE.map((property) => ({ property, message: SAME_EVERYWHERE })),
      ],
    },
  },
  {
    // Of a time in the entry, `new Date(ms)` gives the same everywhere, if it is read in UTC.
    files: ['src/storage/**/*.ts'],
    ignores: AROUND_APPLY,
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          'NewExpression[callee.name="Date"][arguments.length=0]',
          'CallExpression[callee.name="Date"]',
          'ImportSpecifier[imported.name=/^random/]',
          ...OUTSIDE_MODULES.map((name) => `ImportDeclaration[source.value="${name}"]`),
        ].map((selector) => ({ selector, message: SAME_EVERYWHERE })),
      ],
    },
  },
]

/** The rules of this project alone, none of which needs types. `.oxlintrc.json` has those for all TypeScript. */
export default [
  { ignores: ['dist', 'data', 'bench/results', 'node_modules', 'packages'] },
  // Lines that set a rule of oxlint aside would be reported.
  {
    files: ['**/*.ts'],
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  ...boundaries,
  {
    files: ['src/**/*.ts'],
    plugins: { house: { rules: { downward } } },
    rules: { 'house/downward': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/storage/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[property.type="Identifier"][property.name="tables"]',
          message: ONE_DOOR,
        },
        { selector: 'ObjectPattern > Property[key.name="tables"]', message: ONE_DOOR },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'max-lines-per-function': lines(FUNCTION_LINES),
      'max-lines': lines(FILE_LINES),
      // The formatter breaks code. It leaves comments, and texts that cannot be broken.
      'max-len': ['error', { code: 1000, comments: COMMENT_WIDTH, ignoreUrls: true }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
    },
  },
  ...determinism,
  // One loop over two texts, with a picture above it: parts of it would need all of its variables.
  { files: ['src/diff/slide.ts'], rules: { 'max-lines-per-function': lines(50) } },
  // One table of all settings.
  { files: ['src/config/settings.ts'], rules: { 'max-lines': 'off' } },
]
