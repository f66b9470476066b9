import { readFileSync } from 'node:fs'
import { packageFile } from './packageFiles.js'

/** The version in package.json, such as `0.3.0`. */
export function productVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
