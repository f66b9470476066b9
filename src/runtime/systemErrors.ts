/** Errors of the operating system, in words for people. */
import { getSystemErrorMap } from 'node:util'

/** Verbs for the system calls whose name is not plain English. */
const ACTIONS: Readonly<Record<string, string>> = {
  access: 'access',
  copyfile: 'copy',
  fsync: 'write',
  lstat: 'access',
  mkdir: 'make the folder',
  rm: 'remove',
  rmdir: 'remove',
  scandir: 'list the folder',
  stat: 'access',
  statfs: 'access',
  symlink: 'make the link',
  unlink: 'remove',
}

/** Our words for the most frequent errors; libuv has words for the rest. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'something of that name exists already',
}

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined

/**
 * Gives `cannot open /a/b: permission denied` for Node's `EACCES: permission denied, open '/a/b'`. The error names no
 * path when the file was already open; `subject` names it then.
 */
export function describeSystemError(error: NodeJS.ErrnoException, subject?: string): string {
  const { syscall = '', code = '', errno, path = subject } = error
  const text = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1]
  const reason = REASONS[code] ?? text
  if (reason === undefined) return error.message
  const { dest } = error as { dest?: string }
  const target = dest === undefined ? '' : ` to ${dest}`
  const place = path === undefined ? '' : ` ${path}${target}`
  return `cannot ${ACTIONS[syscall] ?? syscall}${place}: ${reason}`
}

/** Why a request failed: `fetch` says only that it failed; the cause says why. */
export function fetchFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
