/**
 * Compares Palimpsest with a running MediaWiki, by the same random requests to both. `make agree MEDIAWIKI=URL` gives
 * the URL of the MediaWiki's `rest.php`. It must be a new 1.39 in English with wikidiff2 and the extensions Cite,
 * ParserFunctions and Poem, `$wgRateLimits = []`, and edits allowed for everybody. AGREEMENT_ROUNDS sets the number of
 * requests, AGREEMENT_SEED chooses others.
 *
 * Two known differences are left out. Palimpsest keeps Georgian first letters small. It also composes marks that a
 * substitution puts before letters of a text.
 */
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, test } from 'vitest'
import { startProcess } from '../support/command.js'
import { randomNumbers } from '../support/random.js'
import { temporaryFolder } from '../conformance/garden.js'
import { changeLines, drawComment, drawLine, drawText, drawTitle, pick, type Random } from './drawn.js'
import { type Answer, essence, pagePath, type Saved, savedRevision, Wiki } from './wiki.js'

const MEDIAWIKI = process.env['MEDIAWIKI']
const ROUNDS = Number(process.env['AGREEMENT_ROUNDS'] ?? 100)
const SEED = Number(process.env['AGREEMENT_SEED'] ?? 39)
const note = MEDIAWIKI === undefined ? ' (skipped: MEDIAWIKI names none)' : ''
const TIMEOUT_MS = 3_600_000
/** Pages of other runs are left alone. */
const RUN = `Run${Date.now().toString(36)}`
const EDITS = 3
/** Not `reverted`: a MediaWiki finds out about reverts later. */
const COUNTS = ['edits', 'editors', 'anonymous', 'bot', 'minor']
const SHOWN_LETTERS = 400

describe.skipIf(MEDIAWIKI === undefined)(`as a MediaWiki answers${note}`, { timeout: TIMEOUT_MS }, () => {
  let ours: Wiki
  let theirs: Wiki

  beforeAll(async () => {
    const flags = ['--anonymous-edits', '--edits-per-minute', '1000000']
    const port = await startProcess(temporaryFolder(), ...flags)
    ours = new Wiki(`http://127.0.0.1:${port}`)
    theirs = new Wiki(MEDIAWIKI!.replace(/\/$/, ''))
  })

  /** Asks both, and keeps what they do not agree on. */
  async function ask(
    differences: string[],
    question: string,
    send: (wiki: Wiki, isOurs: boolean) => Promise<Answer>,
    judge = essence,
  ): Promise<readonly [Answer, Answer]> {
    const answers = await Promise.all([send(ours, true), send(theirs, false)])
    const [one, other] = answers.map(judge)
    if (one !== other) differences.push([question, one, other].map((text) => show(text ?? '')).join('\n  '))
    return answers
  }

  test('on titles', async () => {
    const random = randomNumbers(SEED)
    const differences: string[] = []
    for (let n = 0; n < 3 * ROUNDS; n++) {
      const title = drawTitle(`${RUN} T${n}`, random)
      await ask(differences, `POST ${title}`, (wiki) => wiki.create(title, 'text', 'why'))
      // A web server in front may change such a path; only Palimpsest finds decomposed letters.
      const isPlain = !title.includes('%') && title === title.normalize('NFC')
      if (isPlain) await ask(differences, `GET ${title}`, (wiki) => wiki.ask(pagePath(title)))
    }
    expect(differences).toEqual([])
  })

  test('on edits, conflicts, merged texts and histories', async () => {
    const random = randomNumbers(SEED + 1)
    const differences: string[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const title = `${RUN} E${n}`
      const source = drawText(random)
      const comment = drawComment(random)
      const created = await ask(differences, `create ${source}`, (wiki) =>
        wiki.create(title, source, comment),
      )
      const revisions = [savedByBoth(created)]
      for (let edit = 0; edit < EDITS; edit++) {
        const base = pick(revisions.slice(random() < 0.6 ? -1 : 0), random)
        if (base === undefined) continue
        const next = drawEdit(base[0].source, random)
        const summary = drawComment(random)
        const saved = await ask(differences, `${base[0].source} -> ${next}`, (wiki, isOurs) =>
          wiki.update(title, next, summary, base[isOurs ? 0 : 1].id),
        )
        revisions.push(savedByBoth(saved) ?? base)
      }
      await ask(differences, title, (wiki) => wiki.ask(`${pagePath(title)}/history`), historyOf)
      await ask(
        differences,
        title,
        (wiki) => wiki.ask(`${pagePath(title)}/history?filter=anonymous`),
        historyOf,
      )
      for (const type of COUNTS) {
        await ask(differences, title, (wiki) => wiki.ask(`${pagePath(title)}/history/counts/${type}`), whole)
      }
      const latest = revisions.at(-1)
      if (latest === undefined) continue
      const bare = (wiki: Wiki, isOurs: boolean): Promise<Answer> =>
        wiki.ask(`/revision/${latest[isOurs ? 0 : 1].id}/bare`)
      await ask(differences, title, bare, revisionOf)
    }
    expect(differences).toEqual([])
  })

  test('on comparisons', async () => {
    const random = randomNumbers(SEED + 2)
    const differences: string[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const title = `${RUN} C${n}`
      const before = Array.from({ length: 2 + Math.floor(random() * 15) }, () => drawLine(random))
      const after = changeLines(before, random)
      const [first, second] = [before, after].map((lines) => lines.join('\n'))
      const created = savedByBoth(await ask(differences, title, (wiki) => wiki.create(title, first!, '')))
      if (created === undefined) continue
      const update = (wiki: Wiki, isOurs: boolean): Promise<Answer> =>
        wiki.update(title, second!, '', created[isOurs ? 0 : 1].id)
      const changed = savedByBoth(await ask(differences, title, update))
      if (changed === undefined) continue
      const question = `${first} -> ${second}`
      await ask(
        differences,
        question,
        (wiki, isOurs) => {
          const [from, to] = [created, changed].map((both) => both[isOurs ? 0 : 1].id)
          return wiki.ask(`/revision/${from}/compare/${to}`)
        },
        comparisonOf,
      )
    }
    expect(differences).toEqual([])
  })

  test('on the text that a reader of the HTML sees', async () => {
    const random = randomNumbers(SEED + 3)
    const differences: string[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const title = `${RUN} H${n}`
      const source = drawText(random)
      await ask(differences, source, (wiki) => wiki.create(title, source, 'why'))
      await ask(differences, source, (wiki) => wiki.ask(`${pagePath(title)}/html`), visibleText)
    }
    expect(differences).toEqual([])
  })
})

function drawEdit(source: string, random: Random): string {
  if (random() < 0.1) return source
  const lines = source.split('\n')
  lines.splice(Math.floor(random() * (lines.length + 1)), random() < 0.5 ? 0 : 1, drawText(random))
  return lines.join('\n')
}

function savedByBoth(answers: readonly [Answer, Answer]): readonly [Saved, Saved] | undefined {
  const [one, other] = answers.map(savedRevision)
  return one && other && [one, other]
}

function historyOf({ json }: Answer): string {
  const revisions = json['revisions'] as readonly Record<string, unknown>[]
  return JSON.stringify(revisions.map(({ comment, minor, size, delta }) => [comment, minor, size, delta]))
}

/** A revision without ids, times and the wiki's address. */
function revisionOf({ status, json }: Answer): string {
  const { size, minor, user, comment, delta, content_model: model, license } = json
  const { key, title } = json['page'] as Record<string, unknown>
  return JSON.stringify([status, size, minor, user, comment, delta, model, license, key, title])
}

const whole = ({ status, text }: Answer): string => `${status} ${text}`

function comparisonOf({ status, json }: Answer): string {
  const sections = ['from', 'to'].map((side) => (json[side] as { readonly sections?: unknown })?.sections)
  return JSON.stringify([status, json['diff'], sections])
}

interface Parser {
  createDocument(html: string): { readonly body: { readonly textContent: string } }
}

const parser = createRequire(import.meta.url)('domino') as Parser

const visibleText = ({ status, text }: Answer): string =>
  `${status} ${parser.createDocument(text).body.textContent.replace(/\s+/g, ' ').trim()}`

/** With escapes for what a terminal would not show. */
const show = (text: string): string =>
  text
    .slice(0, SHOWN_LETTERS)
    .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
