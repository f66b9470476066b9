/** How many processors this process may use: a container may have the time of fewer than the machine has. */
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

/** Where the system's files are; tests give a folder. */
const ROOT = '/'
const MOUNT = 'sys/fs/cgroup'
/** A line of /proc/self/cgroup: `0::/path` for version 2, `4:cpu,cpuacct:/path` for version 1. */
const CGROUP = /^\d+:([^:]*):(\/.*)$/gm

/**
 * The processors that the system lets this process run on, or fewer where a control group (Docker's --cpus, systemd's
 * CPUQuota) has less time than that: quota by period, rounded down, at least one.
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

/** The quotas of a group and of all that it is in. In a container the path may be one that only the machine has. */
function quotasAlong(mount: string, path: string, read: (folder: string) => number | undefined): number[] {
  const quotas: number[] = []
  for (let group = path; ; group = dirname(group)) {
    const quota = read(join(mount, group))
    if (quota !== undefined) quotas.push(quota)
    if (group === '/') return quotas
  }
}

/** `150000 100000`, or `max 100000` without a limit. */
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

/** Empty where there is no such file. */
function textOf(folder: string, name: string): string {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
