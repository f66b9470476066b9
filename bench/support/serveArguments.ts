/** Servers of a bench: `palimpsest serve` over a data folder, on a free port of this machine. */
import type { Pinning } from './pinning.js'
import { PALIMPSEST } from './repository.js'
import type { Sandbox } from './sandbox.js'

export const serveArguments = (dataDir: string, ...more: readonly string[]): string[] => [
  ...['serve', '--data-dir', dataDir, '--host', '127.0.0.1', '--port', '0'],
  ...more,
]

/** Starts a server on a core. Returns its process group, and its origin without a slash at the end. */
export async function startServer(
  sandbox: Sandbox,
  { pin, core }: { readonly pin: Pinning['pin']; readonly core: number | undefined },
  dataDir: string,
  flags: readonly string[] = [],
): Promise<{ readonly group: number; readonly origin: string }> {
  const args = serveArguments(dataDir, '--log-level', 'error', ...flags)
  const { pid, greeting } = await sandbox.serve(
    ...pin(core, PALIMPSEST, args),
    /(http:\/\/127\.0\.0\.1:\d+)\//,
  )
  return { group: pid, origin: greeting[1]! }
}
