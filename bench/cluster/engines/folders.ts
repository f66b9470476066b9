/** Copies of the folders of an engine. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'

/** Replaces a folder by a copy of another, with the owners of its files. Throws if that fails. */
export function replaceFolder(target: string, source: string): void {
  rmSync(target, { recursive: true, force: true })
  const { status, stderr } = spawnSync('cp', ['-a', source, target], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`cannot copy ${source}: ${stderr}`)
}
