import { describe, expect, test } from 'vitest'
import { counter, histogram, sharedGauge, Times } from '../../src/metrics/figures.js'
import { Metrics } from '../../src/metrics/metrics.js'
import { renderFigures } from '../../src/metrics/render.js'

describe('times', () => {
  test('become a cumulative histogram in seconds', async () => {
    const times = new Times()
    times.add(0.2)
    times.add(30, 3)
    times.add(60_000)
    const text = await renderFigures([
      [histogram('wait_seconds', 'Help.', [{ labels: { pool: 'a' }, times }])],
    ])
    expect(text).toContain('# TYPE wait_seconds histogram')
    expect(text).toContain('wait_seconds_bucket{pool="a",le="0.0001"} 0\n')
    expect(text).toContain('wait_seconds_bucket{pool="a",le="0.00025"} 1\n')
    expect(text).toContain('wait_seconds_bucket{pool="a",le="0.025"} 1\n')
    expect(text).toContain('wait_seconds_bucket{pool="a",le="0.05"} 4\n')
    expect(text).toContain('wait_seconds_bucket{pool="a",le="10"} 4\n')
    expect(text).toContain('wait_seconds_bucket{pool="a",le="+Inf"} 5\n')
    expect(text).toMatch(/wait_seconds_sum\{pool="a"\} 60\.09/)
    expect(text).toContain('wait_seconds_count{pool="a"} 5\n')
  })
})

describe('figures of several processes', () => {
  const processes = [1, 2].map((number) => {
    const metrics = new Metrics(number)
    metrics.add(() => [counter('reads_total', 'Help.', 10 * number), sharedGauge('size_bytes', 'Help.', 700)])
    return metrics
  })

  test('carry the number of the process, but for what all share', async () => {
    const text = await renderFigures(processes.map((metrics) => metrics.collect()))
    expect(text.match(/^[^#\n].*$/gm)).toEqual([
      'reads_total{process="1"} 10',
      'reads_total{process="2"} 20',
      'size_bytes 700',
    ])
  })

  test('come from whoever can ask for them', async () => {
    const asked = new Metrics(1, () => Promise.resolve(processes.map((metrics) => metrics.collect())))
    expect(await asked.render()).toContain('reads_total{process="2"} 20')
  })

  test('of one name from several parts of a server stand together', async () => {
    const metrics = new Metrics()
    for (const pool of ['a', 'b']) {
      metrics.add(() => [counter('shed_total', 'Help.', [{ labels: { pool }, value: 1 }])])
    }
    const text = await metrics.render()
    expect(text.match(/# TYPE shed_total counter/g)).toHaveLength(1)
    expect(text).toContain('shed_total{pool="a"} 1\nshed_total{pool="b"} 1\n')
  })
})
