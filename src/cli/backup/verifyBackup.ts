import { showReading } from '../verify/showReading.js'
import { verifyInProcess } from '../verify/verifyInProcess.js'

/** Verifies the store of a backup. Returns the problems, one line each. */
export async function verifyBackup(path: string): Promise<readonly string[]> {
  const { isTTY } = process.stderr
  const { problems } = await verifyInProcess({
    dataDir: path,
    digest: false,
    hashes: false,
    ...(isTTY && { onReading: showReading() }),
  })
  if (isTTY) process.stderr.write('\r\x1b[K')
  return problems
}
