/** Facts that affect a result besides the code: machine, Node, commit, installed programs. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { REPOSITORY } from './repository.js'

export interface MachineFacts {
  /** Commit of the checkout, with `-dirty` if files differ from it; `unknown` outside a checkout. */
  readonly commit: string
  readonly node: string
  readonly cpu: string
  /** Processors that this process may use. */
  readonly cores: readonly number[]
  readonly memoryBytes: number
  readonly system: string
}

export function machineFacts(): MachineFacts {
  return {
    commit: commit(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: allowedCores(),
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()}`,
  }
}

/** Numbers of the processors that this process may use, ascending. */
export function allowedCores(): number[] {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1]
  return list === undefined ? cpus().map((_cpu, number) => number) : list.split(',').flatMap(expandRange)
}

/** Path of a program on PATH or among the system's daemons; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/** `0-3` to 0, 1, 2, 3; `5` to 5. */
function expandRange(range: string): number[] {
  const [first = 0, last = first] = range.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', ['--no-optional-locks', ...args], {
      cwd: REPOSITORY,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    return git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '-dirty')
  } catch {
    return 'unknown'
  }
}
