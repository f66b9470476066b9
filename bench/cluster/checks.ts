/** The checks at the end: compare the stores of all nodes with each other, and with the answers that clients got. */
import { Store } from '../../src/storage/store.js'
import type { Cluster } from './cluster.js'
import type { Ledger, Sent } from './ledger.js'
import { MARKER } from './texts.js'

/** Time to apply what is left, and for the engine to find a leader. */
const SETTLE_MS = 180_000
const NONE: ReadonlySet<string> = new Set()
/** Faults of one kind that are shown. */
const MAX_SHOWN = 5

export interface Checked {
  readonly faults: readonly string[]
  readonly position: number
  readonly digest: string
  readonly pages: number
  readonly revisions: number
  /** Edits with an unknown outcome that are in the stores. */
  readonly unknownSaved: number
}

/** Waits until all nodes have applied the whole log, stops them, and checks their stores. */
export async function checkCluster(cluster: Cluster, ledger: Ledger): Promise<Checked> {
  const faults = [...ledger.faults, ...titleFaults(ledger)]
  const positions = await settle(cluster)
  if (new Set(positions).size > 1) faults.push(`positions differ: ${positions.join(', ')}`)
  await cluster.stop()
  const reports: string[] = []
  for (const { name, place } of cluster.nodes) {
    const report = await cluster.command('verify', '--digest', '--data-dir', place.dataDir)
    if (!report.includes('no problems')) faults.push(`${name}: ${report}`)
    reports.push(report)
  }
  if (new Set(reports).size > 1) faults.push(`stores differ: ${reports.join(' / ')}`)
  let facts: Revisions | undefined
  for (const { name, place } of cluster.nodes) {
    facts = await Revisions.read(place.dataDir)
    faults.push(...facts.faults(ledger.sent).map((fault) => `${name}: ${fault}`))
  }
  return {
    faults,
    position: positions[0]!,
    digest: /digest (\S+)/.exec(reports[0]!)?.[1] ?? '',
    pages: facts!.pages,
    revisions: facts!.count,
    unknownSaved: facts!.countSaved(ledger.sent.filter(({ outcome }) => outcome === 'unknown')),
  }
}

/** The positions of all nodes, once they have applied the whole log. */
async function settle({ nodes }: Cluster): Promise<number[]> {
  for (const node of nodes) await node.whenAt(0, SETTLE_MS)
  for (;;) {
    const before = await Promise.all(nodes.map((node) => node.status()))
    const last = Math.max(...before.map((status) => Math.max(status.position, status.last ?? 0)))
    for (const node of nodes) await node.whenAt(last, SETTLE_MS)
    const after = await Promise.all(nodes.map((node) => node.status()))
    if (after.every(({ position }) => position === last)) return after.map(({ position }) => position)
  }
}

/** Titles that were made more than once. */
function titleFaults(ledger: Ledger): string[] {
  const made = new Map<string, number>()
  for (const { title, isNew } of ledger.sent) if (isNew) made.set(title, (made.get(title) ?? 0) + 1)
  return [...made]
    .filter(([, count]) => count > 1)
    .map(([title, count]) => `${title} was made ${count} times`)
}

interface Read {
  readonly pageId: number
  readonly parentId: number
  readonly markers: ReadonlySet<string>
}

/** All revisions of a store. */
class Revisions {
  readonly pages: number
  readonly #revisions = new Map<number, Read>()
  /** Number of revisions that brought a marker into their page. */
  readonly #brought = new Map<string, number>()

  static async read(dataDir: string): Promise<Revisions> {
    const store = Store.open(dataDir)
    try {
      return new Revisions(store)
    } finally {
      await store.close()
    }
  }

  private constructor(store: Store) {
    const pageIds = new Set<number>()
    // Ids have no holes: a store without imports counts its revisions.
    for (let id = 1; ; id++) {
      const row = store.getRevision(id)
      if (row === undefined) break
      const { pageId, parentId } = row
      pageIds.add(pageId)
      this.#revisions.set(id, { pageId, parentId, markers: new Set(store.getText(id)?.match(MARKER)) })
    }
    this.pages = pageIds.size
    for (const { parentId, markers } of this.#revisions.values()) {
      const before = this.#revisions.get(parentId)?.markers ?? NONE
      for (const marker of markers)
        if (!before.has(marker)) this.#brought.set(marker, (this.#brought.get(marker) ?? 0) + 1)
    }
  }

  get count(): number {
    return this.#revisions.size
  }

  countSaved(sent: readonly Sent[]): number {
    return sent.filter(({ marker }) => this.#brought.has(marker)).length
  }

  faults(sent: readonly Sent[]): string[] {
    const found = sent.flatMap((each) => this.#faultOf(each) ?? [])
    return [...found.slice(0, MAX_SHOWN), ...more(found), ...this.#repeatedBases()]
  }

  #faultOf({ title, marker, outcome, revisionId, answer }: Sent): string | undefined {
    const times = this.#brought.get(marker) ?? 0
    const what = `${title}, ${marker} (${answer})`
    if (outcome === 'refused') return times === 0 ? undefined : `${what} was refused, and is there`
    if (times > 1) return `${what} is there ${times} times`
    if (outcome === 'unknown') return undefined
    if (times === 0) return `${what} is lost`
    const revision = this.#revisions.get(revisionId!)
    if (revision?.markers.has(marker) !== true) return `${what} is not in revision ${revisionId}`
    return undefined
  }

  #repeatedBases(): string[] {
    const seen = new Map<string, number>()
    const faults: string[] = []
    for (const [id, { pageId, parentId }] of this.#revisions) {
      const key = `${pageId} ${parentId}`
      const other = seen.get(key)
      if (other !== undefined) faults.push(`revisions ${other} and ${id} of page ${pageId} have one parent`)
      seen.set(key, id)
    }
    return faults.slice(0, MAX_SHOWN)
  }
}

const more = (found: readonly string[]): string[] =>
  found.length > MAX_SHOWN ? [`and ${found.length - MAX_SHOWN} more`] : []
