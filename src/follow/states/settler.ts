/**
 * Turns places to look at into differences. It asks the wiki how each is now, and looks further where an answer raises
 * a question: who has the title now, and which revisions lie between? A few rounds settle all.
 */
import type { Upstream } from '../api/upstream.js'
import type { RevisionFacts } from '../api/answers.js'
import type { Look } from '../changes/look.js'
import type { Mirror } from '../mirror.js'
import { Differences } from './differences.js'
import { Histories } from './histories.js'
import type { Plan } from './plan.js'
import { Rounds } from './rounds.js'

/** The next look settles the rest. */
const MOST_ROUNDS = 10
/** Revisions that the settler remembers, so that it asks for the history of each once. */
const MOST_ASKED = 100_000
/** In larger mirrors, names that a block hid or shows again are left to the sweep. */
const MOST_REVISIONS_TO_WALK = 1_000_000

export interface SettlerOptions {
  /** Parents up to this id are not missed. */
  readonly floor: () => number
  /** Revisions that the mirror has. */
  readonly countRevisions: () => number
  /** False: files are not followed. */
  readonly withFiles: boolean
}

export class Settler {
  readonly #upstream: Upstream
  readonly #mirror: Mirror
  readonly #options: SettlerOptions
  readonly #histories: Histories
  readonly #asked = new Set<number>()

  constructor(upstream: Upstream, mirror: Mirror, options: SettlerOptions) {
    this.#upstream = upstream
    this.#mirror = mirror
    this.#options = options
    this.#histories = new Histories(upstream, mirror)
  }

  /**
   * The differences in the places of `look`, which grows. Without `fillsGaps`, unknown parents of revisions are left
   * for others to bring; so are the latest revisions of pages above `newestId`.
   */
  async settle(look: Look, { fillsGaps = true, newestId = Infinity } = {}): Promise<Plan> {
    const round = new Rounds(this.#upstream, this.#mirror, look, {
      histories: this.#histories,
      isKept: (facts, latestId) => this.#isKept(facts, latestId),
      isGap: (id) => fillsGaps && this.#isGap(id),
      mayAsk: (id) => this.#mayAsk(id),
      newestId,
      forgetAsked: (id) => void this.#asked.delete(id),
      namesToLookAt: ({ users, unblocked }) => [...users, ...(this.#isSmall() ? unblocked : [])],
    })
    for (let n = 0; n < MOST_ROUNDS && (await round.next()); n++);
    const { withFiles } = this.#options
    const isKept = this.#isKept.bind(this)
    return new Differences(this.#upstream, this.#mirror, look, round.answers, isKept).plan(withFiles)
  }

  /** The mirror has no list of the revisions of a name: it finds them by a walk over all pages. */
  #isSmall(): boolean {
    return this.#options.countRevisions() <= MOST_REVISIONS_TO_WALK
  }

  #isKept({ id }: RevisionFacts, latestId: number | undefined): boolean {
    return id > this.#options.floor() || id === latestId
  }

  #isGap(id: number): boolean {
    return id > this.#options.floor() && this.#mirror.revision(id) === undefined
  }

  /** True once for each revision: its history is then asked for. */
  #mayAsk(revisionId: number): boolean {
    if (this.#asked.has(revisionId)) return false
    if (this.#asked.size >= MOST_ASKED) this.#asked.clear()
    this.#asked.add(revisionId)
    return true
  }
}
