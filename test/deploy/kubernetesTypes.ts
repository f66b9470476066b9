/** Checks Kubernetes objects against the types of its API: unknown fields, missing ones, values of another type. */
import { join } from 'node:path'
import ts from 'typescript'

/** Beside this file, so that the package of the types is found. It exists in memory only. */
const CHECKED = join(import.meta.dirname, 'checkedObjects.ts')

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
}

export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
}

/** Descriptions of all faults. */
export function faultsOf(objects: readonly KubernetesObject[]): string[] {
  const text = objects.map(declaration).join('\n')
  const host = ts.createCompilerHost(OPTIONS)
  const own = ts.createSourceFile(CHECKED, text, ts.ScriptTarget.ES2022)
  const withOwn: ts.CompilerHost = {
    ...host,
    getSourceFile: (name, ...rest) => (name === CHECKED ? own : host.getSourceFile(name, ...rest)),
    fileExists: (name) => name === CHECKED || host.fileExists(name),
  }
  const program = ts.createProgram([CHECKED], OPTIONS, withOwn)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

function declaration(object: KubernetesObject, n: number): string {
  const { apiVersion, kind } = object
  const group = apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`
  const type = `import('kubernetes-types/${group}').${kind}`
  return `export const object${n}: ${type} = ${JSON.stringify(object)}`
}
