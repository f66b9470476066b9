/** Batches of states of a followed wiki, as small as a test needs. */
import type {
  PresentPage,
  ShownRevision,
  UpstreamPage,
  UpstreamPlace,
  UpstreamRevision,
  UpstreamStates,
} from '../../src/domain/upstream.js'
import type { Applier } from '../../src/storage/apply/applier.js'
import type { FollowVerdict, Verdict } from '../../src/storage/entries/entries.js'
import type { Store } from '../../src/storage/store.js'
import { makeUpstreamEntry } from '../../src/storage/upstream/place.js'
import { revision, START } from './store.js'

/** A place that differs from others by its number. */
export const place = (
  batch: number,
  url = 'https://wiki.example/api.php',
): UpstreamPlace & { readonly batch: number } => ({
  url,
  wikiId: 'testwiki',
  batch,
})

export const states = (parts: Partial<UpstreamStates> = {}): UpstreamStates => ({
  pages: [],
  files: [],
  protections: [],
  renames: [],
  ...parts,
})

/** A page whose latest revision is the last that the state adds. */
export function present(id: number, dbkey: string, parts: Partial<PresentPage> = {}): PresentPage {
  const { add = [] } = parts
  return {
    id,
    namespace: 0,
    dbkey,
    latestId: add.at(-1)?.id ?? 0,
    redirectTarget: null,
    add,
    take: [],
    remove: [],
    change: [],
    ...parts,
  }
}

/** A revision as `revision` makes it, with the text of another one. */
export const sameText = (id: number, sameTextAs: number): UpstreamRevision => ({
  ...revision(id, undefined),
  sameTextAs,
})

/** A revision that shows what `revision` shows of it, changed by `parts`. */
export const shown = (id: number, parts: Partial<ShownRevision> = {}): ShownRevision => ({
  id,
  editor: { id: 1, name: 'Ann' },
  comment: `edit ${id}`,
  isTextShown: true,
  ...parts,
})

/** Applies batches one after the other, each from where the one before ended. */
export class Following {
  readonly store: Store
  readonly #applier: Applier
  readonly #url: string | undefined

  /** `url`: the address of the wiki, where that matters. */
  constructor(store: Store, applier: Applier, url?: string) {
    this.store = store
    this.#applier = applier
    this.#url = url
  }

  /** Applies pages as one batch, and returns what that changed. */
  pages(...pages: UpstreamPage[]): FollowVerdict {
    return this.batch({ pages })
  }

  /** Throws unless the batch is followed. */
  batch(parts: Partial<UpstreamStates>, time = START): FollowVerdict {
    const verdict = this.submit(parts, time)
    if (verdict.result !== 'followed') throw new Error(JSON.stringify(verdict))
    return verdict
  }

  submit(parts: Partial<UpstreamStates>, time = START): Verdict {
    const from = this.store.mirror.place() as ReturnType<typeof place> | undefined
    return this.#applier.submit(
      makeUpstreamEntry(from, place((from?.batch ?? 0) + 1, this.#url), time, states(parts)),
    )
  }
}
