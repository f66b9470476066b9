/** Stack traces that name source files: the build bundles them, and writes a map beside each bundle. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { packageFile } from './packageFiles.js'

/** A place in a bundle: its URL, line and column, both from 1. */
const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g

/** By the URL of the bundle; undefined for files without a map. Read once, when a trace first names the bundle. */
const maps = new Map<string, SourceMap | undefined>()

/** The trace with `src/….ts:line:column` for places in bundles. Other places stay. */
export function sourceTrace(trace: string): string {
  return trace.replaceAll(PLACE, (place, bundle: string, line: string, column: string) => {
    const origin = mapOf(bundle)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !('fileName' in origin)) return place
    const file = fileURLToPath(new URL(origin.fileName, bundle))
    const root = packageFile('')
    return `${file.startsWith(root) ? file.slice(root.length) : file}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

function mapOf(bundle: string): SourceMap | undefined {
  if (!maps.has(bundle)) maps.set(bundle, readMap(`${fileURLToPath(bundle)}.map`))
  return maps.get(bundle)
}

type MapPayload = ConstructorParameters<typeof SourceMap>[0]

function readMap(path: string): SourceMap | undefined {
  if (!existsSync(path)) return undefined
  return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as MapPayload)
}
