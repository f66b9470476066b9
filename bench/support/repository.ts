/** Paths of the repository, whether this file runs as TypeScript in bench/ or compiled in bench/results/build/. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json. */
export const REPOSITORY = repositoryRoot(import.meta.dirname)
export const RESULTS = join(REPOSITORY, 'bench/results')
/** The command as users run it; it needs `npm run build`. */
export const PALIMPSEST = join(REPOSITORY, 'bin/palimpsest')

const CORPUS = join(REPOSITORY, '../shared/corpus')

/** Path of a dump of the shared corpus; undefined, with a message, if it is missing. */
export function findDump(name: string): string | undefined {
  const path = join(CORPUS, name)
  if (existsSync(path)) return path
  console.log(`${path} is absent: not measured.`)
  return undefined
}

/** Path of a recorded fixture; undefined, with a message, if it is missing. */
export function findFixture(name: string): string | undefined {
  const path = join(REPOSITORY, '../shared/oracle', name)
  if (existsSync(path)) return path
  console.log(`${path} is absent: not measured.`)
  return undefined
}

function repositoryRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error('no package.json above bench/support')
  return repositoryRoot(parent)
}
