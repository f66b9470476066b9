/**
 * Builds the product: bundles src into dist, one file for each entry and few for what entries share. Node loads a bundle in
 * half the time that the modules take one by one. Packages stay outside, as npm installs them.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = import.meta.dirname
const DIST = join(ROOT, 'dist')
/** The folder of what entries share, below that of the bundle. */
const SHARED = 'shared'

/** Files that are started or imported by their path: commands, processes, threads, the package's exports. */
export const ENTRIES = [
  'cli/start',
  'cli/lockWatchThread',
  'cli/verify/verifyProcess',
  'library',
  'supervisor/main',
  'supervisor/orphanGuard',
  'workers/compute/worker',
  'workers/expand/expandThread',
  'workers/files/fileProcess',
  'workers/html/renderThread',
  'workers/index/indexThread',
  'workers/pages/pageWalkThread',
  'workers/writer/writerThread',
]

/**
 * Bundles entries, given as source paths by their names. Names of shared files have a hash, so that files of two builds never
 * mix. Throws at any warning.
 */
export async function bundle(entries, folder) {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const packages = new Set(Object.keys({ ...dependencies, ...optionalDependencies }))
  const isPackage = (id) => packages.has(/^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])
  const built = await rolldown({
    input: entries,
    cwd: ROOT,
    platform: 'node',
    tsconfig: join(ROOT, 'tsconfig.json'),
    external: (id) => isBuiltin(id) || isPackage(id),
    onwarn: (warning) => {
      throw new Error(warning.message)
    },
  })
  rmSync(join(folder, SHARED), { recursive: true, force: true })
  await built.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: `${SHARED}/[name]-[hash].js`,
    // For stack traces. Texts of sources would triple the size of the package.
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  await built.close()
}

/** Makes dist. Declarations of types there stay. */
export async function build() {
  await bundle(Object.fromEntries(ENTRIES.map((name) => [name, join(ROOT, `src/${name}.ts`)])), DIST)
  await writeGrammar()
  copyViewer()
}

/**
 * Files of the API viewer, with its licence. Its package holds 12 MB, and brings one that reports each installation to
 * strangers. So users get these files, and not the package.
 */
const VIEWER = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE']

function copyViewer() {
  mkdirSync(join(DIST, 'viewer'), { recursive: true })
  for (const name of VIEWER) {
    copyFileSync(join(ROOT, 'node_modules/swagger-ui-dist', name), join(DIST, 'viewer', name))
  }
}

/** Writes the compiled grammar of wikitext, for src/render/parsoid/patches/compiledGrammar.ts. */
async function writeGrammar() {
  const folder = join(DIST, '.build')
  await bundle({ loadPackage: join(ROOT, 'src/render/parsoid/loadPackage.ts') }, folder)
  const { compileGrammar } = await import(join(folder, 'loadPackage.js'))
  const grammar = compileGrammar()
  if (grammar === undefined) rmSync(join(DIST, 'grammar.cjs'), { force: true })
  else writeFileSync(join(DIST, 'grammar.cjs'), grammar)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
