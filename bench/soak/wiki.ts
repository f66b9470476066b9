/** The pages that a soak requests, and those that it edits. */
import { drawSome } from '../support/random.js'
import { pagePath } from '../support/pageSample.js'
import { Connection } from './connection.js'

const EDITED_PAGES = 200
/** Pages whose HTML is read. A few of them are edited too. */
const HTML_PAGES = 300
const EDITED_HTML_PAGES = 5
const MIN_EDITED_BYTES = 500
const MAX_EDITED_BYTES = 20_000
/** Newest revisions of a page, from which comparisons are drawn. */
const KNOWN_REVISIONS = 20

/** A page that only the soak edits. */
export interface EditedPage {
  readonly path: string
  /** The text without the line that edits replace. */
  readonly text: string
  /** Id of the last acknowledged edit. */
  latestId: number
  /** Newest last. */
  readonly revisions: number[]
  isBeingEdited: boolean
}

export interface SoakWiki {
  /** Such as `/v1/page/Alba`. */
  readonly paths: readonly string[]
  readonly htmlPaths: readonly string[]
  readonly edited: readonly EditedPage[]
  readonly editedByPath: ReadonlyMap<string, EditedPage>
  /** Words of titles, percent-encoded. */
  readonly words: readonly string[]
  /** Paths of files and of their scaled pictures. */
  readonly files: readonly string[]
  readonly media: readonly string[]
  /** Entity tags of earlier answers, by path. */
  readonly tags: Map<string, string>
}

/** Chooses pages, and requests the HTML that will be read. Throws if the wiki lacks suitable pages. */
export async function surveyWiki(
  port: number,
  keys: readonly string[],
  random: () => number,
): Promise<SoakWiki> {
  const connection = new Connection(port)
  const paths = keys.map(pagePath)
  const edited = await choosePages(connection, paths)
  const htmlPaths = [
    ...edited.slice(0, EDITED_HTML_PAGES).map(({ path }) => path),
    ...drawSome(paths, HTML_PAGES, random),
  ].map((path) => `${path}/html`)
  for (const path of htmlPaths) await connection.send(getRequest(path))
  const words = keys.flatMap((key) => key.split('_')).filter((word) => word.length > 3)
  const { files, media } = await findFiles(connection)
  connection.close()
  return {
    paths,
    htmlPaths,
    edited,
    editedByPath: new Map(edited.map((page) => [page.path, page])),
    words: [...new Set(words)].map(encodeURIComponent),
    files,
    media,
    tags: new Map(),
  }
}

export const getRequest = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: soak\r\n${headers}\r\n`

/** Records an acknowledged edit. */
export function addRevision(page: EditedPage, revisionId: number): void {
  page.latestId = revisionId
  page.revisions.push(revisionId)
  if (page.revisions.length > KNOWN_REVISIONS) page.revisions.shift()
}

async function choosePages(connection: Connection, paths: readonly string[]): Promise<EditedPage[]> {
  const chosen: EditedPage[] = []
  for (const path of paths) {
    if (chosen.length === EDITED_PAGES) break
    const answer = await connection.send(getRequest(path))
    const { source, latest, content_model } = JSON.parse(answer.text()) as {
      source: string
      latest: { id: number }
      content_model: string
    }
    const isFit =
      source.length > MIN_EDITED_BYTES && source.length < MAX_EDITED_BYTES && !source.startsWith('#')
    if (!isFit || content_model !== 'wikitext') continue
    chosen.push({
      path,
      text: source,
      latestId: latest.id,
      revisions: [latest.id],
      isBeingEdited: false,
    })
  }
  if (chosen.length < EDITED_PAGES) throw new Error('the wiki has too few pages that can be edited')
  return chosen
}

/** The sample's files, which `palimpsest files import` has put into the wiki. */
async function findFiles(connection: Connection): Promise<{ files: string[]; media: string[] }> {
  const files = ['/v1/file/File:Revision_chain.png', '/v1/file/File:Architecture.svg']
  const media: string[] = []
  for (const path of files) {
    const answer = await connection.send(getRequest(path))
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`)
    const found = answer.text().matchAll(/"url":"http:\/\/soak([^"]+)"/g)
    media.push(...[...found].map((match) => match[1]!))
  }
  return { files, media: [...new Set(media)] }
}
