/** One request to the action API, as its modules see it. */
import type { Identity } from '../../../auth/identities.js'
import type { HttpContext } from '../../routing/route.js'
import type { RequestView } from '../../request/requestView.js'
import type { Wiki } from '../../request/wiki.js'
import type { SessionCookie } from '../../request/credentials.js'
import type { ParameterTable, Values } from './declaration.js'
import type { Input } from './input.js'
import type { Warnings } from './problems.js'
import type { ReadingContext } from './reading.js'
import type { Fields } from './values.js'

export interface ActionCall extends ReadingContext {
  readonly input: Input
  readonly warnings: Warnings
  readonly context: HttpContext
  readonly wiki: Wiki
  readonly request: RequestView
  readonly cookie: SessionCookie
  readonly identity: Identity
  /** A page of another site asks, by `callback` or `origin=*`: the user counts as anonymous. */
  readonly isForeign: boolean
  /** The URL of the API, for addresses of files. */
  readonly baseUrl: string
  /** Its address. */
  readonly client: string
  /** What the answer depends on, apart from the store and the URL of the request. */
  readonly reuse: ReuseNotes
}

/** Modules note here what an answer depends on. */
export interface ReuseNotes {
  /** The answer depends on the user, the time or chance, so no other request gets it. */
  isPersonal: boolean
  /** Undefined: as long as the store is the same. */
  goodUntilMs: number | undefined
}

/** Answers that may change while the store's generation stays, as when new HTML brings links. */
export const SILENT_CHANGE_MS = 1000

/** Lets the answer serve further requests for so long at most. */
export function lasts({ reuse, nowMs }: Pick<ActionCall, 'reuse' | 'nowMs'>, ms: number): void {
  reuse.goodUntilMs = Math.min(reuse.goodUntilMs ?? Infinity, nowMs + ms)
}

/** A module below `action=`. */
export interface ActionModule<Table extends ParameterTable = ParameterTable> {
  readonly name: string
  readonly summary: string
  readonly parameters: Table
  readonly mustBePosted?: boolean
  /** Type of the token that a POST must have: the parameter is `token`. */
  readonly needsToken?: 'csrf' | 'rollback'
  run(call: ActionCall, values: Values<Table>): ActionAnswer | Promise<ActionAnswer>
}

/** The fields of an answer, or a whole one in a form of its own. */
export type ActionAnswer = Fields | RawAnswer

/** An answer that is no object, as of `opensearch`. It never carries warnings. */
export class RawAnswer {
  constructor(readonly value: unknown) {}
}

export function defineAction<Table extends ParameterTable>(module: ActionModule<Table>): ActionModule {
  return module
}
