/** Generates deploy/monitoring/alerts.yml: alert rules for Prometheus. */
import { ALERT_RULES, type AlertRule, type TestSeries } from './alertRules.js'

/** The text of deploy/monitoring/alerts.yml. Quoted texts are JSON, which is valid YAML. */
export function alertsYaml(): string {
  const rules = ALERT_RULES.map((rule) =>
    [
      `      - alert: ${rule.alert}`,
      `        expr: ${JSON.stringify(rule.expr)}`,
      `        for: ${rule.for}`,
      `        labels: { severity: ${rule.severity} }`,
      `        annotations:`,
      `          summary: ${JSON.stringify(rule.summary)}`,
      `          description: ${JSON.stringify(rule.description)}`,
    ].join('\n'),
  )
  return `${HEAD}\n${rules.join('\n')}\n`
}

const HEAD = `# Made by "npm run docs" from test/deploy/monitoring/alertRules.ts: change it there.
# For Prometheus (rule_files); the job of the servers is called "palimpsest".
groups:
  - name: palimpsest
    rules:`

/** A file for "promtool test rules". It tests each rule with samples that fire it, and with others. */
export function alertTests(rulesFile: string): string {
  const labelled = (series: string): string => {
    const [name, labels] = series.split('{')
    const own = labels === undefined ? '' : `,${labels.slice(0, -1)}`
    return `${name}{job="palimpsest",instance="wiki:8080"${own}}`
  }
  const testOf = (rule: AlertRule, samples: TestSeries, isFiring: boolean): object => ({
    interval: '1m',
    input_series: samples.map(([series, values]) => ({ series: labelled(series), values })),
    alert_rule_test: [
      {
        eval_time: '30m',
        alertname: rule.alert,
        exp_alerts: isFiring
          ? [
              {
                exp_labels: { job: 'palimpsest', instance: 'wiki:8080', severity: rule.severity },
                exp_annotations: { summary: rule.summary, description: rule.description },
              },
            ]
          : [],
      },
    ],
  })
  return JSON.stringify({
    rule_files: [rulesFile],
    evaluation_interval: '1m',
    tests: ALERT_RULES.flatMap((rule) => [testOf(rule, rule.fires, true), testOf(rule, rule.quiet, false)]),
  })
}
