import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { processCount } from '../../src/config/config.js'
import { usableProcessors } from '../../src/runtime/processors.js'
import { temporaryFolder } from '../conformance/garden.js'

/** A folder instead of `/`, with these files by path. */
function rootWith(files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const V2 = 'sys/fs/cgroup'
const V1 = 'sys/fs/cgroup/cpu,cpuacct'

const CASES: readonly [what: string, files: Record<string, string>, expected: number][] = [
  ['no control groups', {}, 16],
  ['version 2 without a limit', { 'proc/self/cgroup': '0::/\n', [`${V2}/cpu.max`]: 'max 100000\n' }, 16],
  ['a container of version 2', { 'proc/self/cgroup': '0::/\n', [`${V2}/cpu.max`]: '400000 100000\n' }, 4],
  ['a part of a processor', { 'proc/self/cgroup': '0::/\n', [`${V2}/cpu.max`]: '350000 100000\n' }, 3],
  ['less than one processor', { 'proc/self/cgroup': '0::/\n', [`${V2}/cpu.max`]: '50000 100000\n' }, 1],
  ['more than there are', { 'proc/self/cgroup': '0::/\n', [`${V2}/cpu.max`]: '6400000 100000\n' }, 16],
  [
    'a unit of systemd, whose slice has less',
    {
      'proc/self/cgroup': '0::/wiki.slice/palimpsest.service\n',
      [`${V2}/wiki.slice/palimpsest.service/cpu.max`]: '800000 100000\n',
      [`${V2}/wiki.slice/cpu.max`]: '300000 100000\n',
    },
    3,
  ],
  [
    'version 1',
    {
      'proc/self/cgroup': '12:memory:/a\n4:cpu,cpuacct:/docker/abc\n',
      [`${V1}/docker/abc/cpu.cfs_quota_us`]: '250000\n',
      [`${V1}/docker/abc/cpu.cfs_period_us`]: '50000\n',
    },
    5,
  ],
  [
    'a container of version 1, which does not see the path',
    {
      'proc/self/cgroup': '4:cpu,cpuacct:/docker/abc\n0::/\n',
      [`${V1}/cpu.cfs_quota_us`]: '200000\n',
      [`${V1}/cpu.cfs_period_us`]: '100000\n',
    },
    2,
  ],
  [
    'version 1 without a limit',
    {
      'proc/self/cgroup': '1:cpu:/\n',
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
    16,
  ],
  ['a file that says nothing', { 'proc/self/cgroup': '0::/\n', [`${V2}/cpu.max`]: '' }, 16],
]

test.each(CASES)('of 16 processors, with %s', (_what, files, expected) => {
  expect(usableProcessors(16, rootWith(files))).toBe(expected)
})

test('on this machine there is one at least', () => {
  expect(usableProcessors()).toBeGreaterThanOrEqual(1)
})

test('as many processes as fit into a container', () => {
  const root = rootWith({ 'proc/self/cgroup': '0::/\n', [`${V2}/cpu.max`]: '400000 100000\n' })
  expect(processCount('auto', usableProcessors(16, root))).toBe(3)
})
