import { expect, test } from 'vitest'
import { judge, summariseQuarters } from '../../bench/soak/quarters.js'
import type { MemorySample } from '../../bench/soak/samples.js'

const sample = (process: string, requests: number, privateBytes: number): MemorySample => ({
  process,
  pid: 1,
  requests,
  atMs: requests,
  figures: { privateBytes },
})

test('compares the last quarter of the requests with the second, for each process', () => {
  const samples = [
    ...[100, 50, 200, 220, 300, 250, 230].map((bytes, n) => sample('process 1', (n + 1) * 10, bytes)),
    sample('process 1', 80, 260),
    ...[10, 30, 50, 70].map((requests) => sample('supervisor', requests, 20)),
  ]
  expect(summariseQuarters(samples, 80)).toEqual([
    { process: 'process 1', figure: 'privateBytes', means: [75, 210, 275, 245], change: 245 / 210 - 1 },
    { process: 'supervisor', figure: 'privateBytes', means: [20, 20, 20, 20], change: 0 },
  ])
})

test('tells nothing of a process that ended before', () => {
  const [ended] = summariseQuarters([sample('process 2', 10, 5)], 80)
  expect(ended).toEqual({
    process: 'process 2',
    figure: 'privateBytes',
    means: [5, undefined, undefined, undefined],
    change: undefined,
  })
})

test.each([
  ['met', [100, 100, 90, 104]],
  ['not met by process 1', [100, 100, 100, 106]],
])('judges growth from the second quarter to the last: %s', (verdict, bytes) => {
  const samples = bytes.map((privateBytes, n) => sample('process 1', (n + 1) * 20, privateBytes))
  expect(judge(summariseQuarters(samples, 80))).toBe(verdict)
})

test('does not judge a run without samples in these quarters', () => {
  const summary = summariseQuarters([sample('process 1', 80, 5)], 80)
  expect(judge(summary)).toBe('unknown, the run was too short')
})
