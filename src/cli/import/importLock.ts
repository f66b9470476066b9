/** Keeps two imports from writing to one store at the same time. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ImportRefused } from './importer.js'

/**
 * Takes the lock of a data folder, which it makes if needed; returns what gives the lock back.
 * Throws ImportRefused while another living process holds it; the lock of a dead one is taken over.
 */
export function takeImportLock(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'import.lock')
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx' })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const holder = Number(readFileSync(path, 'utf8'))
      if (isRunning(holder)) throw new ImportRefused(`process ${holder} is importing into ${dataDir} already`)
      rmSync(path, { force: true })
    }
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
