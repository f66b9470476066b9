/** The modules of one page, as functions of the host see them. */
import type { Title } from '../../domain/title.js'
import type { Expander } from '../preprocessor/expander.js'
import type { ExpansionFrame } from '../preprocessor/frame.js'
import type { LuaState } from './engine/state.js'
import type { LuaTime } from './limits.js'
import type { LuaThread } from './thread.js'
import type { Pattern } from './ustring/pattern.js'
import type { SubjectCache } from './ustring/subjectCache.js'

/** The call of a module that now begins. */
export interface PendingCall {
  readonly frameId: number
  readonly parentId: number | undefined
  /** `Module:Name` */
  readonly name: string
  readonly functionName: string
}

export interface LuaSession {
  readonly expander: Expander
  readonly thread: LuaThread
  readonly time: LuaTime
  readonly subjects: SubjectCache
  /** Compiled patterns, by their bytes. */
  readonly patterns: Map<string, Pattern>
  /** Codes of languages whose data was asked for. */
  readonly languages: Set<string>
  /** Lua's own functions that some of the host's call, as places in the function table. */
  readonly natives: { readonly format: number; readonly random: number; readonly randomseed: number }
  pending: PendingCall | undefined
  /** Whether `math.random` has its beginning. */
  isSeeded: boolean
  /** Gives a frame a number; those of a call end with it. */
  addFrame(frame: ExpansionFrame): number
  frame(id: number): ExpansionFrame
  /** `Module:My page` */
  nameOf(title: Title): string
  /** Counts an expensive function; with a key, only the first time. Throws when there were too many. */
  countExpensive(key?: string): void
  /** Throws when the time is over; for long work of the host. */
  checkTime(): void
  /** Gives `math.random` its beginning; for functions that Lua has called. */
  seedRandom(seed: number): void
  /** Puts the main function of a source on the stack. False: a message instead. */
  loadChunk(state: LuaState, name: string, source: string): boolean
}
