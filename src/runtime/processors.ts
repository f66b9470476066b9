/** Number of processors this process may use. A container may get the time of fewer than the machine has. */
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

/** Root of the system's files; tests pass a folder. */
const ROOT = '/'
const MOUNT = 'sys/fs/cgroup'
/** A line of /proc/self/cgroup. Version 2 writes `0::/path`, version 1 `4:cpu,cpuacct:/path`. */
const CGROUP = /^\d+:([^:]*):(\/.*)$/gm

/**
 * The processors on which the system lets this process run. A control group (Docker's --cpus, systemd's CPUQuota) may
 * allow less time: its quota divided by its period, rounded down, at least one.
 */
export function usableProcessors(processors = availableParallelism(), root = ROOT): number {
  const list = join(root, 'proc/self/cgroup')
  if (!existsSync(list)) return processors
  const quotas = [...readFileSync(list, 'utf8').matchAll(CGROUP)].flatMap(
    ([, controllers = '', path = '']) => {
      if (controllers === '') return quotasAlong(join(root, MOUNT), path, readVersion2)
      if (!controllers.split(',').includes('cpu')) return []
      const mount = [controllers, 'cpu'].map((name) => join(root, MOUNT, name)).find(existsSync)
      return mount === undefined ? [] : quotasAlong(mount, path, readVersion1)
    },
  )
  return Math.max(1, Math.floor(Math.min(processors, ...quotas)))
}

/** The quotas of a group and of all its parents. In a container the path may exist only on the host. */
function quotasAlong(mount: string, path: string, read: (folder: string) => number | undefined): number[] {
  const quotas: number[] = []
  for (let group = path; ; group = dirname(group)) {
    const quota = read(join(mount, group))
    if (quota !== undefined) quotas.push(quota)
    if (group === '/') return quotas
  }
}

/** Reads `150000 100000`, or `max 100000` when there is no limit. */
function readVersion2(folder: string): number | undefined {
  const [quota, period] = textOf(folder, 'cpu.max').trim().split(' ').map(Number)
  return quotient(quota, period)
}

/** The quota is -1 without a limit. */
function readVersion1(folder: string): number | undefined {
  const [quota, period] = ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) =>
    Number(textOf(folder, name) || Number.NaN),
  )
  return quotient(quota, period)
}

function quotient(quota = Number.NaN, period = Number.NaN): number | undefined {
  return quota > 0 && period > 0 ? quota / period : undefined
}

/** Empty when the file does not exist. */
function textOf(folder: string, name: string): string {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
