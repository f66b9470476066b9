/** Arguments of `palimpsest` for a server over a data folder, on a free port of this machine. */
export const serveArguments = (dataDir: string, ...more: readonly string[]): string[] => [
  ...['serve', '--data-dir', dataDir, '--host', '127.0.0.1', '--port', '0'],
  ...more,
]
