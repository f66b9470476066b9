/** Monitoring for operators: docs of the metrics, alert rules, dashboard. All are compared with a server's metrics. */
// @module-tag slow
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { clusterFigures, contentsFigures } from '../../src/cluster/figures.js'
import type { NodeStatus } from '../../src/cluster/nodeStatus.js'
import { metricsMarkdown } from './monitoring/figureDocs.js'
import { type FigureFacts, listFigures } from './monitoring/figureList.js'
import { ALERT_RULES } from './monitoring/alertRules.js'
import { alertsYaml, alertTests } from './monitoring/alerts.js'
import { dashboardJson } from './monitoring/dashboard.js'
import { readSettings } from '../../src/config/config.js'
import { openServerLog } from '../../src/app/logger.js'
import { Supervisor } from '../../src/supervisor/supervisor.js'
import { gardenFolder, send, startGarden, temporaryFolder } from '../conformance/garden.js'
import { afterFile } from '../support/cleanUp.js'

const REPOSITORY = join(import.meta.dirname, '../..')
const DEPLOYED = join(REPOSITORY, 'deploy/monitoring')
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined

/** A node that has just started. */
const NODE: NodeStatus = {
  state: 'connecting',
  reason: undefined,
  appendFault: undefined,
  lost: 0,
  position: 0,
  last: 0,
  lagSeconds: 0,
  isApplying: false,
  appliedEntries: 0,
  appliedBatches: 0,
  appendRetries: 0,
}

/** Figures of a server alone that has answered one request of each kind that has a figure of its own. */
let figures: FigureFacts[]
/** The same in Prometheus' format, from two processes. */
let together: string
beforeAll(async () => {
  const accessLogFile = join(temporaryFolder(), 'access.log')
  const garden = await startGarden({ accessLog: 'json', accessLogFile, html: 'upstream' })
  expect((await garden.send('/v1/page/Compost/html')).status).toBe(200)
  const dataDir = await gardenFolder()
  const flags = { dataDir, port: '0', logLevel: 'silent', html: 'upstream' }
  const settings = readSettings(flags, {})
  const supervisor = await Supervisor.open(flags, settings, 2, openServerLog(settings))
  afterFile(async () => {
    expect(await supervisor.stop()).toBe(true)
  })
  expect(await supervisor.start()).toBe(true)
  await send(supervisor.port, '/v1/page/Compost', {})
  await send(supervisor.port, '/v1/page/Compost/html', {})
  together = (await send(supervisor.port, '/metrics', {})).bytes.toString()
  const [ofSupervisor = []] = await supervisor.collect()
  const ofServer = garden.app.context.metrics.collect()
  const ofFiles = contentsFigures({ fetched: 0, failed: 0, missing: 0 })
  figures = listFigures([...ofServer, ...ofSupervisor, ...clusterFigures(NODE), ...ofFiles])
})

describe('made from the figures, so that they cannot part; "npm run docs" rewrites them', () => {
  test.each([
    ['docs/metrics.md', () => metricsMarkdown(figures)],
    ['deploy/monitoring/alerts.yml', () => alertsYaml()],
    ['deploy/monitoring/dashboard.json', () => dashboardJson(figures)],
  ])('%s', async (path, made) => {
    const message = 'the committed file differs: run "npm run docs"'
    await expect(made(), message).toMatchFileSnapshot(join(REPOSITORY, path))
  })
})

/** Figures that a query names, with the labels that it compares or keeps for each. */
function namedIn(query: string): { name: string; labels: string[] }[] {
  const names = query.matchAll(/\b((?:palimpsest|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)
  return [...names].map(([, name = '', selectors = '']) => ({
    name: name.replace(/_bucket$/, ''),
    labels: [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  }))
}

/** Labels that Prometheus gives to every series. */
const OF_PROMETHEUS = ['job', 'instance']

describe('every figure', () => {
  test('that an alert rule names is there, with the labels that it names', () => {
    for (const { alert, expr } of ALERT_RULES) {
      for (const { name, labels } of namedIn(expr)) {
        const known = figures.find((figure) => figure.name === name)
        expect(known, `${alert}: ${name}`).toBeDefined()
        for (const label of labels) expect([...known!.labels, ...OF_PROMETHEUS], alert).toContain(label)
      }
    }
  })

  test('has a panel, and no panel asks for another', () => {
    const { panels } = JSON.parse(dashboardJson(figures)) as { panels: { targets?: { expr: string }[] }[] }
    const asked = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namedIn(expr)))
    expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(figures.map(({ name }) => name)))
  })

  test('that docs/operations.md says to watch is there', () => {
    const named = namedIn(readFileSync(join(REPOSITORY, 'docs/operations.md'), 'utf8'))
    const known = new Set(figures.map(({ name }) => name))
    expect(named.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })
})

describe('promtool', () => {
  const run = (args: string[], input = ''): { status: number | null; text: string } => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input })
    return { status, text: stdout + stderr }
  }

  /** The rules and their tests as files. */
  const folderWithRules = (): string => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'alerts.yml'), alertsYaml())
    writeFileSync(join(folder, 'tests.yml'), alertTests('alerts.yml'))
    return folder
  }

  test.skipIf(!hasPromtool)('finds no fault with the figures of two processes (needs promtool)', () => {
    expect(together).toContain('palimpsest_process_restarts_total{process="2"} 0\n')
    expect(run(['check', 'metrics'], together)).toEqual({ status: 0, text: '' })
  })

  test.skipIf(!hasPromtool)('finds no fault with the rules and the configuration (needs promtool)', () => {
    const rules = join(folderWithRules(), 'alerts.yml')
    const found = `SUCCESS: ${ALERT_RULES.length} rules found`
    expect(run(['check', 'rules', '--lint-fatal', rules]).text).toContain(found)
    const checked = run(['check', 'config', join(DEPLOYED, 'prometheus.yml')])
    expect(checked.status, checked.text).toBe(0)
  })

  test.skipIf(!hasPromtool)('sees each rule fire when it should, and only then (needs promtool)', () => {
    const path = join(folderWithRules(), 'tests.yml')
    const { status, text } = run(['test', 'rules', path])
    expect(status, text).toBe(0)
  })
})
