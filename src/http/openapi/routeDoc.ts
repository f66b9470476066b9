/** The documentation of a route for the description of the API, in addition to its declaration. */
import type { ErrorKey } from '../reply/errors.js'
import type { JsonSchema } from '../request/params.js'

export type Tag = 'Search' | 'Pages' | 'History' | 'Revisions' | 'Files' | 'Conversion' | 'Session' | 'Server'

export interface RouteDoc {
  /** Operation id for generators of clients, such as `getPageHistory`. */
  readonly id: string
  readonly tag: Tag
  /** One line without a full stop. */
  readonly summary: string
  /** Further description, in Markdown. */
  readonly description?: string
  readonly deprecated?: boolean
  /** The answer on success. */
  readonly answer: AnswerDoc
  /** Other successful answers, each with its status. */
  readonly otherAnswers?: readonly AnswerDoc[]
  /**
   * Supported conditions: `read` is those of GET, with 304 and 412; `write` is preconditions with 412. The default is
   * `read` for GET, except on routes of the server itself, and `none` for the others.
   */
  readonly conditions?: 'read' | 'write' | 'none'
  /** Whether a request needs credentials or may have some. */
  readonly signIn?: 'needed' | 'possible'
  /** Query parameters that the handler parses itself. */
  readonly query?: readonly QueryDoc[]
  /** The request's body, when the route has one. */
  readonly body?: BodyDoc
  /** Errors of the handler. Parameters, body and server limits add theirs automatically. */
  readonly errors: readonly ErrorKey[]
}

export interface QueryDoc {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

export interface AnswerDoc {
  /** 200 by default. */
  readonly status?: number
  readonly description: string
  /** JSON by default. */
  readonly type?: string | readonly string[]
  /** Absent: any value of the type. */
  readonly schema?: JsonSchema
  /** Headers of this answer, with a description of each. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface BodyDoc {
  readonly description: string
  /** Content types; JSON by default. */
  readonly types?: readonly string[]
  readonly schema: JsonSchema
}
