import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { NoticeLog, NoticeReport } from '../../../src/cli/import/noticeLog.js'
import { describeNotice, type Notice } from '../../../src/import/notices.js'
import { CommandError } from '../../../src/cli/commandError.js'
import { temporaryFolder } from '../../support/store.js'

const noText = (n: number): Notice => ({
  kind: 'revision-text',
  leftOut: 'revision',
  reason: 'it has no <text>',
  line: n,
  title: `Page ${n}`,
  pageId: n,
  revisionId: 10 * n,
})
const NOTED: Notice = { kind: 'wrong-sha1', reason: 'it has another SHA-1', line: 9, title: 'X' }

describe('notices of a dump', () => {
  test('are shown five of a kind, and the others are counted', () => {
    const lines: string[] = []
    const log = new NoticeLog('a.xml', { print: (line) => lines.push(line), report: undefined })
    log.add(NOTED)
    for (let n = 1; n <= 12_345; n++) log.add(noText(n))
    log.end()
    expect(lines).toEqual([
      'a.xml: line 9, page "X": it has another SHA-1',
      ...[1, 2, 3, 4, 5].map(
        (n) => `a.xml: line ${n}, page "Page ${n}": revision ${10 * n} is left out: it has no <text>`,
      ),
      'a.xml: … and 12,340 more of this kind: revisions whose text is missing or cannot be read; --report FILE lists all',
    ])
    expect(log.counts()).toEqual([
      { kind: 'revision-text', count: 12_345, isLeftOut: true },
      { kind: 'wrong-sha1', count: 1, isLeftOut: false },
    ])
  })

  test('are all in the report, one line of JSON each', () => {
    const path = join(temporaryFolder(), 'report.jsonl')
    const report = new NoticeReport(path)
    const lines: string[] = []
    const log = new NoticeLog('a.xml', { print: (line) => lines.push(line), report })
    for (let n = 1; n <= 5000; n++) log.add(noText(n))
    log.add(NOTED)
    log.end()
    report.close()
    expect(lines.at(-1)).toBe(
      'a.xml: … and 4,995 more of this kind: revisions whose text is missing or cannot be read',
    )
    const rows = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row) as object)
    expect(rows).toHaveLength(5001)
    const [kind, leftOut, reason] = ['revision-text', 'revision', 'it has no <text>']
    expect(rows[0]).toEqual({
      file: 'a.xml',
      line: 1,
      pageId: 1,
      title: 'Page 1',
      revisionId: 10,
      kind,
      leftOut,
      reason,
    })
    expect(rows[5000]).toMatchObject({ kind: 'wrong-sha1', leftOut: null, pageId: null, revisionId: null })
  })

  test('that cannot be written are an error that names the file', () => {
    expect(() => new NoticeReport('/nowhere/report.jsonl')).toThrow(CommandError)
    expect(() => new NoticeReport('/nowhere/report.jsonl')).toThrow(
      /cannot write the report: cannot open \/nowhere\/report\.jsonl: there is no such file or folder/,
    )
  })

  test('cannot end the line, move the cursor or fill the screen with a title', () => {
    const title = `a\nb\r\u009b2J\u202e${'x'.repeat(100_000)}`
    const line = describeNotice({
      kind: 'page-id',
      leftOut: 'page',
      reason: 'it has no <id>',
      line: 3,
      title,
    })
    expect(line).toMatch(
      /^line 3, page "a\\u000ab\\u000d\\u009b2J\\u202ex+…": the page is left out: it has no <id>$/,
    )
    expect(line.length).toBeLessThan(400)
  })
})
