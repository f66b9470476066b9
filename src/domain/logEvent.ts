/** Entries of a wiki's public log: moves, deletions, protections, uploads, blocks and the like. */
import type { Editor } from './revision.js'
import type { Title } from './title.js'

/** A value of parameters. Lists and objects may be inside others. */
export type EventValue =
  | string
  | number
  | boolean
  | null
  | readonly EventValue[]
  | { readonly [name: string]: EventValue }

export interface LogEvent {
  readonly id: number
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Such as `move`. */
  readonly type: string
  /** Such as `move_redir`. */
  readonly action: string
  /** Undefined: hidden. */
  readonly performer: Editor | undefined
  /** Undefined: hidden. */
  readonly comment: string | undefined
  /** The page at that time, which may be gone. Undefined: hidden, with the parameters. */
  readonly title: Title | undefined
  /** As MediaWiki names them, such as `4::target`. Old entries have a list of texts. */
  readonly params: EventValue
}
