/** A request for a page for readers, as its handlers see it. */
import type { Namespaces } from '../../domain/namespaces.js'
import type { Title } from '../../domain/title.js'
import type { Links } from '../../reader/links.js'
import type { ReaderSite } from '../../reader/site.js'
import type { Reply } from '../reply/reply.js'
import type { RequestView } from '../request/requestView.js'
import type { HttpContext } from '../routing/route.js'
import type { Wiki } from '../request/wiki.js'

export interface Visit {
  /** Title as requested: decoded, not normalised. */
  readonly asked: string
  readonly title: Title
  /** Title in URL form, with its namespace. */
  readonly key: string
  /** Part of a special page's name after the first slash, in reading form. It may be empty. */
  readonly target: string
  readonly query: URLSearchParams
  readonly request: RequestView
  readonly wiki: Wiki
  readonly namespaces: Namespaces
  readonly site: ReaderSite
  /** Of `site`. */
  readonly links: Links
}

/** Answers in the same tick when it only reads. Errors that it throws become pages. */
export type VisitHandler = (visit: Visit, context: HttpContext) => Reply | Promise<Reply>
