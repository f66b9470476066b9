/**
 * Builds the sample wiki: reads site.json and pages/*.wiki, writes handbook.xml.
 * The same sources always give the same bytes. Run it after every change: `node sample/build.mjs`
 */
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportXml } from './exportXml.mjs'
import { parsePageSource } from './pageSource.mjs'

const FOLDER = import.meta.dirname
const TIMESTAMP = /^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z$/
const REDIRECT = /^#REDIRECT \[\[([^\]|#]+)/

/** Where the built dump lies. */
export const DUMP_PATH = join(FOLDER, 'handbook.xml')

/** The site settings of the sample: siteinfo, namespaces by id, registered editors with their ids. */
export function loadSite() {
  return JSON.parse(readFileSync(join(FOLDER, 'site.json'), 'utf8'))
}

/**
 * All pages with ids, ordered by page id. Page ids follow the time of the first revision; revision ids rise
 * in time order over the whole wiki, as they do in a wiki that lived. Throws when two revisions share a time,
 * a history runs backwards, an editor is unknown, or a title occurs twice.
 */
export function loadPages(site) {
  const folder = join(FOLDER, 'pages')
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.wiki'))
    .sort()
    .map((name) => parsePageSource(readFileSync(join(folder, name), 'utf8'), name))
    .sort((a, b) => compare(a.revisions[0].timestamp, b.revisions[0].timestamp))
  requireDistinct(sources.map(({ title }) => title))
  const revisionIds = idsInTimeOrder(sources.flatMap(({ revisions }) => revisions))
  return sources.map((source, index) => numberedPage(source, index + 1, revisionIds, site))
}

/** The dump that the sources give, as one string. */
export function buildDump() {
  const site = loadSite()
  return exportXml(site, loadPages(site))
}

function numberedPage({ title, model, revisions }, id, revisionIds, site) {
  revisions.forEach((revision, index) => {
    if (index > 0 && revision.timestamp < revisions[index - 1].timestamp) {
      throw new Error(`${title}: the history runs backwards at ${revision.timestamp}`)
    }
  })
  return {
    id,
    title,
    model,
    namespace: namespaceOf(title, site),
    redirectTarget: REDIRECT.exec(revisions.at(-1).text)?.[1] ?? null,
    revisions: revisions.map((revision, index) => ({
      ...revision,
      id: revisionIds.get(revision.timestamp),
      parentId: index === 0 ? null : revisionIds.get(revisions[index - 1].timestamp),
      editorId: editorId(revision.editor, site),
    })),
  }
}

/** Ids by timestamp, from 1. */
function idsInTimeOrder(revisions) {
  const timestamps = revisions.map(({ timestamp }) => timestamp).sort(compare)
  const malformed = timestamps.find((timestamp) => !TIMESTAMP.test(timestamp))
  if (malformed !== undefined) throw new Error(`not a timestamp: ${malformed}`)
  requireDistinct(timestamps)
  return new Map(timestamps.map((timestamp, index) => [timestamp, index + 1]))
}

function namespaceOf(title, site) {
  const prefix = title.slice(0, Math.max(title.indexOf(':'), 0))
  const found = Object.entries(site.namespaces).find(([, name]) => name === prefix)
  return Number(found?.[0] ?? 0)
}

/** Null for an address without an account. */
function editorId(name, site) {
  if (isIP(name) !== 0) return null
  const id = site.editors[name]
  if (id === undefined) throw new Error(`site.json does not know the editor ${name}`)
  return id
}

function requireDistinct(values) {
  const repeated = values.find((value, index) => values.indexOf(value) !== index)
  if (repeated !== undefined) throw new Error(`this occurs twice: ${repeated}`)
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const xml = buildDump()
  writeFileSync(DUMP_PATH, xml)
  console.log(`${DUMP_PATH}: ${Buffer.byteLength(xml)} bytes`)
}
