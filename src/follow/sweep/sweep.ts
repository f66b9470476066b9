/**
 * Compares everything with the wiki, and repairs differences: pages, protected titles, files, then all revisions that
 * the wiki lists, then all that the mirror has. A sweep goes on where it stopped; it also fills an empty store.
 */
import { SWEEP_STAGES, type SweepPlace, type SweepStage } from '../../domain/upstreamPosition.js'
import type { Upstream } from '../api/upstream.js'
import type { Mirror } from '../mirror.js'
import type { PlaceWriter } from '../placeWriter.js'
import type { Plans } from '../plans.js'
import { EMPTY_PLAN } from '../states/plan.js'
import type { Settler } from '../states/settler.js'
import {
  compareFiles,
  compareKnown,
  comparePages,
  compareRevisions,
  compareTitles,
  type Stage,
  type StagePart,
} from './stages.js'

/** The position moves after so many steps. After an interruption, the sweep repeats the steps since. */
const STEPS_BETWEEN_MOVES = 20

const STAGES: Readonly<Record<SweepStage, Stage>> = {
  pages: comparePages,
  titles: compareTitles,
  files: compareFiles,
  revisions: compareRevisions,
  known: compareKnown,
}

export interface SweepTools {
  readonly upstream: Upstream
  readonly mirror: Mirror
  readonly settler: Settler
  readonly plans: Plans
  readonly writer: PlaceWriter
  /** False: files are not followed. */
  readonly withFiles: boolean
}

export class Sweep {
  readonly #tools: SweepTools
  #place: SweepPlace
  #steps = 0

  /** Goes on with the sweep of the position, or begins one. */
  constructor(tools: SweepTools) {
    this.#tools = tools
    this.#place = tools.writer.position.sweep ?? { stage: 'pages', began: tools.upstream.client.time }
  }

  get place(): SweepPlace {
    return this.#place
  }

  /** Does everything that is left. */
  async run(): Promise<void> {
    while (await this.step());
  }

  /** Compares the next part. False: it was the last. */
  async step(): Promise<boolean> {
    const { settler, plans } = this.#tools
    const { look, next = this.#following() } = await this.#compare()
    look.bots ||= next === undefined
    const plan = look.isEmpty ? EMPTY_PLAN : await settler.settle(look, { fillsGaps: false })
    if (plan.isUnfinished) {
      await plans.write(plan)
      return true
    }
    if (next === undefined) {
      await plans.write(plan, { sweep: undefined, swept: this.#place.began })
      return false
    }
    this.#steps++
    await plans.write(plan, this.#steps % STEPS_BETWEEN_MOVES === 0 ? { sweep: next } : undefined)
    this.#place = next
    return true
  }

  #compare(): Promise<StagePart> {
    const { mirror, upstream, writer } = this.#tools
    const { history, floor } = writer.position
    const tools = { mirror, upstream, floor: history === 'all' ? 0 : floor }
    return STAGES[this.#place.stage](tools, this.#place)
  }

  /** The beginning of the next stage. */
  #following(): SweepPlace | undefined {
    const { began, isFirst } = this.#place
    const stages = SWEEP_STAGES.filter((stage) => stage !== 'files' || this.#tools.withFiles)
    const stage = stages[stages.indexOf(this.#place.stage) + 1]
    return stage && { stage, began, ...(isFirst && { isFirst }) }
  }
}
