/** What a route says of itself for the description of the API, beside what its declaration says already. */
import type { ErrorKey } from '../reply/errors.js'

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type Tag = 'Search' | 'Pages' | 'History' | 'Revisions' | 'Files' | 'Conversion' | 'Session' | 'Server'

export interface RouteDoc {
  /** Name of the operation for programs that make clients: `getPageHistory`. */
  readonly id: string
  readonly tag: Tag
  /** One line without a full stop. */
  readonly summary: string
  /** More than fits there, in Markdown. */
  readonly description?: string
  readonly deprecated?: boolean
  /** What comes back when all is well. */
  readonly answer: AnswerDoc
  /** Other answers that are no errors, each with its status. */
  readonly otherAnswers?: readonly AnswerDoc[]
  /**
   * Conditions that the route obeys: `read`, those of GET with 304 and 412; `write`, preconditions with 412. Routes
   * with GET read unless they concern the server.
   */
  readonly conditions?: 'read' | 'write' | 'none'
  /** Whether a request needs somebody who is signed in, or may have somebody. */
  readonly signIn?: 'needed' | 'possible'
  /** Parameters of the query that the handler reads by itself. */
  readonly query?: readonly QueryDoc[]
  /** The body of the request, where there is one. */
  readonly body?: BodyDoc
  /** Errors of the handler; those of its parameters, its body and a server's limits are known. */
  readonly errors: readonly ErrorKey[]
}

export interface QueryDoc {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
}

export interface AnswerDoc {
  /** 200 unless given. */
  readonly status?: number
  readonly description: string
  /** JSON unless given. */
  readonly type?: string | readonly string[]
  /** Absent: anything of the type. */
  readonly schema?: JsonSchema
  /** Headers of this answer alone, with what they say. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface BodyDoc {
  readonly description: string
  /** Content types; JSON unless given. */
  readonly types?: readonly string[]
  readonly schema: JsonSchema
}

/** Errors of every route that asks a compute thread: the queue is full, or the time was up. */
export const POOL_ERRORS = ['rest-server-busy', 'rest-task-timeout'] as const satisfies readonly ErrorKey[]
