/** The modules of one page, as host functions see them. */
import type { Title } from '../../domain/title.js'
import type { Expander } from '../preprocessor/expander.js'
import type { ExpansionFrame } from '../preprocessor/frame.js'
import type { WikiPage } from '../preprocessor/source.js'
import type { LuaState } from './engine/state.js'
import type { LuaTime } from './limits.js'
import type { LuaLog } from './log.js'
import type { LuaThread } from './thread.js'
import type { Pattern } from './ustring/pattern.js'
import type { SubjectCache } from './ustring/subject.js'

/** The module call that begins now. */
export interface PendingCall {
  readonly frameId: number
  readonly parentId: number | undefined
  /** Such as `Module:Name`. */
  readonly name: string
  readonly functionName: string
}

export interface LuaSession {
  readonly expander: Expander
  readonly thread: LuaThread
  readonly time: LuaTime
  /** What modules wrote with `mw.log`. */
  readonly log: LuaLog
  readonly subjects: SubjectCache
  /** Compiled patterns, by their bytes. */
  readonly patterns: Map<string, Pattern>
  /** Codes of languages whose data was loaded. */
  readonly languages: Set<string>
  /** Lua's own functions that host functions call, as indexes in the function table. */
  readonly natives: { readonly format: number; readonly random: number; readonly randomseed: number }
  pending: PendingCall | undefined
  /** Lua's traceback of the last error. */
  traceback: string | undefined
  /** True once `math.random` has a seed. */
  isSeeded: boolean
  /**
   * Gives a frame a number; frames of a call are removed at its end. `characters` is the length of its arguments
   * altogether.
   */
  addFrame(frame: ExpansionFrame, characters?: number): number
  frame(id: number): ExpansionFrame
  /** Such as `Module:My page`. */
  nameOf(title: Title): string
  /** Notes that the page depends on another one. Each counts as a call of a template. */
  dependOn(title: Title): void
  /** The latest revision of a page, which the page then depends on. */
  readPage(title: Title): WikiPage | undefined
  /** Tells if the revision of a module may run. It may not for a while after it took a thread past a limit. */
  mayRun(name: string, revisionId: number): boolean
  /** Counts an expensive function call; with a key, only the first time. Throws beyond the limit. */
  countExpensive(key?: string): void
  /** Throws when the time is used up; called during long work of the host. */
  checkTime(): void
  /** Seeds `math.random`. Call it only from functions that Lua has called. */
  seedRandom(seed: number): void
  /** Pushes the main function of a source. Returns false with a message on the stack. */
  loadChunk(state: LuaState, name: string, source: string): boolean
}
