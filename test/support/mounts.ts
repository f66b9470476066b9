/** File systems that only one command sees: small ones that fill up, and read-only ones. Needs root, or user namespaces. */
import { spawnSync } from 'node:child_process'

/** Starts a shell script (its text and arguments follow) where mounts are its own. */
const UNSHARE = ['unshare', '--mount', '--map-root-user', 'sh', '-ec'] as const

/** Whether this machine allows such mounts. */
export const canMount = spawnSync(UNSHARE[0], [...UNSHARE.slice(1), 'mount -t tmpfs none /mnt']).status === 0

/** Why tests are skipped that need it. */
export const NEEDS_MOUNT = 'needs mounts in a namespace of its own'

/** A command line that makes a file system of `sizeBytes` at `folder`, then becomes `line`. */
export const withSmallDisk = (folder: string, sizeBytes: number, line: readonly string[]): string[] => [
  ...UNSHARE,
  'mount -t tmpfs -o "size=$1" none "$2"; shift 2; exec "$@"',
  'sh',
  String(sizeBytes),
  folder,
  ...line,
]

/** A command line for which nothing can be written below `folder`. */
export const withReadOnly = (folder: string, line: readonly string[]): string[] => [
  ...UNSHARE,
  'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; shift; exec "$@"',
  'sh',
  folder,
  ...line,
]
