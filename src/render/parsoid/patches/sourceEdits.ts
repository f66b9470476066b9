/**
 * Changes the source of the package's files while Node loads them: where a function cannot be replaced from outside, or
 * a few words of a long function change. Each change names the text that it replaces. If the file does not have that
 * text exactly once, loading fails.
 */
import { createRequire } from 'node:module'

export interface SourceEdit {
  readonly before: string
  readonly after: string
}

export interface EditedFile {
  /** Path of the file as `require` takes it. */
  readonly file: string
  readonly edits: readonly SourceEdit[]
}

type Compile = (module: NodeJS.Module, path: string) => void

/** Node's own loaders, by the extension of a file. They are old, but have no successor for CommonJS. */
const loaders = createRequire(import.meta.url).extensions as unknown as { '.js': Compile }

/** A module of Node, with the method that compiles its text. */
type Compiled = NodeJS.Module & { _compile(text: string, path: string): void }

/** Marks modules that were edited. They outlive this module in tests, where many copies of it use the same ones. */
const EDITED = Symbol.for('palimpsest.edited')
type Marked = NodeJS.Module & { [EDITED]?: true }

/**
 * Runs `load`, which must load all these files. Throws if one was loaded before, is not loaded, or has another text
 * than its edits expect. `editAny` changes the text of each file that is loaded, by its path.
 */
export function loadEdited<Result>(
  files: readonly EditedFile[],
  from: NodeJS.Require,
  editAny: (text: string, path: string) => string,
  load: () => Result,
): Result {
  const byPath = new Map<string, readonly SourceEdit[]>()
  for (const { file, edits } of files) {
    const path = from.resolve(file)
    byPath.set(path, [...(byPath.get(path) ?? []), ...edits])
  }
  const isEdited = (path: string): boolean => {
    const module: Marked | undefined = from.cache[path]
    return module?.[EDITED] === true
  }
  const waiting = new Set([...byPath.keys()].filter((path) => !isEdited(path)))
  for (const path of waiting) if (path in from.cache) throw new Error(`${path} was loaded before its changes`)
  const compile = loaders['.js']
  loaders['.js'] = (module, path) => {
    const edits = waiting.has(path) ? (byPath.get(path) ?? []) : []
    const own = module as Compiled
    const original = own._compile.bind(own)
    own._compile = (text, name) => original(editAny(editSource(text, edits, path), path), name)
    compile(module, path)
    ;(module as Marked)[EDITED] = true
  }
  try {
    const result = load()
    for (const path of waiting) if (!isEdited(path)) throw new Error(`${path} was not loaded`)
    return result
  } finally {
    loaders['.js'] = compile
  }
}

/** Throws if a text to replace is not there exactly once. */
export function editSource(text: string, edits: readonly SourceEdit[], path: string): string {
  return edits.reduce((changed, { before, after }) => {
    if (changed.split(before).length !== 2) throw new Error(`${path} does not have once: ${before}`)
    return changed.replace(before, () => after)
  }, text)
}

/** Loads a file of the package by its path in the package. */
export type Load = <Module>(path: string) => Module
