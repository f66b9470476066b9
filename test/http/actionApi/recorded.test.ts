/** Requests to a MediaWiki with its answers: how many of each area this server answers equally. Floors only rise. */
// @module-tag slow
import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { promisify } from 'node:util'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { startServer, temporaryFolder, type TestServer } from '../../conformance/garden.js'
import { COMMAND } from '../../support/command.js'
import { describeShared } from '../../support/shared.js'

const run = promisify(execFile)

/** Equal answers by area, of the required requests. */
const FLOORS: Readonly<Record<string, number>> = {
  titles: 83,
  'prop-info': 28,
  'prop-revisions': 57,
  'prop-extracts': 59,
  'prop-pageimages': 18,
  'prop-pageprops': 13,
  'prop-categories': 30,
  files: 43,
  'prop-contributors': 10,
  'list-search': 42,
  'list-prefixsearch': 22,
  'list-allpages': 40,
  'list-all': 58,
  'list-logevents': 28,
  users: 38,
  'list-backlinks': 35,
  'prop-links': 72,
  'list-categorymembers': 37,
  'list-recentchanges': 34,
  'list-other': 25,
  'meta-siteinfo': 22,
  'meta-other': 18,
  continue: 28,
  format: 35,
  errors: 32,
  opensearch: 20,
  parse: 69,
  compare: 25,
  expandtemplates: 13,
  paraminfo: 11,
  clients: 33,
  post: 9,
  pages: 35,
}

/** What the script of the recording leaves out: tables of links, and the log. */
const FURTHER = [
  ...['pagelinks', 'templatelinks', 'externallinks', 'iwlinks', 'oldimage'].map(
    (table) => `sql/tidewick-20260201-${table}.sql.gz`,
  ),
  'tidewick-logging.xml.gz',
]

describeShared('recorded requests to the action API', 'oracle/action-api', (oracle) => {
  const equal = new Map<string, number>()
  beforeAll(async () => {
    const folder = temporaryFolder()
    await run('bash', [join(oracle, 'import.sh'), folder, COMMAND])
    for (const file of FURTHER)
      await run(COMMAND, ['import', '--quiet', '--data-dir', folder, join(oracle, file)])
    // Settings of the recorded wiki that its dump does not tell.
    const license = [
      ['licenseUrl', 'https://creativecommons.org/publicdomain/zero/1.0/'],
      ['licenseTitle', 'CC0 1.0'],
    ]
    for (const setting of license) await run(COMMAND, ['site', 'set', '--data-dir', folder, ...setting])
    const wiki: TestServer = await startServer(folder, { createAccounts: true })
    // The runner begins only under its real path.
    const runner = [
      realpathSync(join(oracle, 'action-api.mjs')),
      '--base',
      wiki.base,
      '--required',
      '--show',
      '0',
    ]
    const file = ['--file', join(oracle, 'recorded.jsonl.gz')]
    // It ends with 1 as long as one answer differs.
    const { stdout } = await run('node', [...runner, ...file]).catch(
      (error: unknown) => error as { stdout: string },
    )
    for (const [, area, count] of stdout.matchAll(/^(\S+) +(\d+) of \d+ equal$/gm))
      equal.set(area!, Number(count))
  }, 300_000)

  describe('are answered as by MediaWiki', () => {
    test.each(Object.entries(FLOORS))('%s: %i or more', (area, floor) => {
      expect(equal.get(area)).toBeGreaterThanOrEqual(floor)
    })
  })
})
