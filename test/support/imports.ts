/** Which file of a folder imports which: by statements, by types, and by calls of `import`. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'

/** Files, as paths below the folder, and the files of the folder that each imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

/** Reads all TypeScript files of a folder. */
export function importsOf(folder: string): ImportGraph {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.d.ts'),
  )
  return new Map(paths.map((path) => [path, importsIn(path, readFileSync(join(folder, path), 'utf8'))]))
}

/** The files of the folder that a text imports which stands at `path`. */
export function importsIn(path: string, text: string): ReadonlySet<string> {
  const targets = new Set<string>()
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier?.startsWith('.'))
      targets.add(normalize(join(dirname(path), specifier)).replace(/\.js$/, '.ts'))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest))
  return targets
}

/** Groups of files that import each other, directly or through others of the group: Tarjan's algorithm. */
export function circlesIn(graph: ImportGraph): string[][] {
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (path: string): void => {
    numbers.set(path, numbers.size)
    let low = numbers.get(path)!
    const at = open.push(path) - 1
    for (const target of graph.get(path) ?? []) {
      if (!graph.has(target)) continue
      if (!numbers.has(target)) visit(target)
      if (open.includes(target)) low = Math.min(low, lowest.get(target) ?? numbers.get(target)!)
    }
    lowest.set(path, low)
    if (low < numbers.get(path)!) return
    const group = open.splice(at)
    if (group.length > 1 || graph.get(path)?.has(path)) circles.push(group.toSorted())
  }
  for (const path of graph.keys()) if (!numbers.has(path)) visit(path)
  return circles
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier)
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined
  const isImport = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  return isImport ? textOf(node.arguments[0]) : undefined
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteral(node) ? node.text : undefined
}
