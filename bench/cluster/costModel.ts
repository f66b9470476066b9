/** Processor time of a node, added up from what one read, one edit and one idle second cost. All costs are in ms. */

export interface Costs {
  /** Of a second without requests. */
  readonly idle: number
  readonly read: number
  /** Of an edit, on the node that takes it. */
  readonly take: number
  /** Of the same edit, on each other node. */
  readonly apply: number
}

/** What a cluster does. Clients spread reads and edits evenly over the nodes. */
export interface Work {
  readonly nodes: number
  readonly seconds: number
  /** Of all nodes. */
  readonly reads: number
  readonly edits: number
}

/** Processor time of one node, in ms. */
export function predictNode({ idle, read, take, apply }: Costs, work: Work): number {
  const { nodes, seconds, reads, edits } = work
  const own = edits / nodes
  return idle * seconds + (read * reads) / nodes + take * own + apply * (edits - own)
}
