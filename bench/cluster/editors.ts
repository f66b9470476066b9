/** Editors without a pause, each on a page of its own: no edit conflicts with another. */
import { Connection } from '../soak/connection.js'
import type { Node } from './node.js'

export interface EditorSample {
  readonly editsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly edits: number
}

interface Page {
  readonly path: string
  readonly connection: Connection
  latestId: number
  source: string
  edits: number
}

export class Editors {
  readonly #pages: readonly Page[]

  private constructor(pages: readonly Page[]) {
    this.#pages = pages
  }

  /** One editor for each title. They take the nodes in turn. */
  static async open(nodes: readonly Node[], titles: readonly string[]): Promise<Editors> {
    const pages = titles.map(async (title, n): Promise<Page> => {
      const connection = new Connection(nodes[n % nodes.length]!.place.port)
      const path = `/v1/page/${title.replaceAll(' ', '_')}`
      const answer = await connection.send(`GET ${path} HTTP/1.1\r\nHost: palimpsest\r\n\r\n`)
      const { latest, source } = JSON.parse(answer.text()) as { latest: { id: number }; source: string }
      return { path, connection, latestId: latest.id, source, edits: 0 }
    })
    return new Editors(await Promise.all(pages))
  }

  /** Edits with the first `count` editors until the time is over, or so many edits are saved. */
  async edit(count: number, seconds: number, most = Infinity): Promise<EditorSample> {
    const times: number[] = []
    const startMs = performance.now()
    const endMs = startMs + 1000 * seconds
    const work = async (page: Page): Promise<void> => {
      while (performance.now() < endMs && times.length < most) times.push(await editOnce(page))
    }
    await Promise.all(this.#pages.slice(0, count).map(work))
    const tookMs = performance.now() - startMs
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? NaN
    return {
      editsPerSecond: (1000 * times.length) / tookMs,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      edits: times.length,
    }
  }

  close(): void {
    for (const { connection } of this.#pages) connection.close()
  }
}

/** Replaces the line after the first heading. Returns the time until the answer, in milliseconds. */
async function editOnce(page: Page): Promise<number> {
  const lines = page.source.split('\n')
  lines[lines.indexOf('== Part 0 ==') + 2] = `edit ${page.edits++}`
  const source = lines.join('\n')
  const body = JSON.stringify({ source, comment: '', token: '+\\', latest: { id: page.latestId } })
  const head = `PUT ${page.path} HTTP/1.1\r\nHost: palimpsest\r\nContent-Type: application/json`
  const startMs = performance.now()
  const length = Buffer.byteLength(body)
  const answer = await page.connection.send(`${head}\r\nContent-Length: ${length}\r\n\r\n${body}`)
  const tookMs = performance.now() - startMs
  if (answer.status !== 200) throw new Error(`an edit was answered with ${answer.status}: ${answer.text()}`)
  const saved = JSON.parse(answer.text()) as { latest: { id: number }; source: string }
  page.latestId = saved.latest.id
  page.source = saved.source
  return tookMs
}
