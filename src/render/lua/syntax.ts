/** Whether a source is Lua: it is compiled, and nothing of it runs. */
import { GLOBALS, LuaState, NO_MEMORY } from './engine/state.js'
import { isTrap } from './engine/webAssembly.js'
import { LuaTime } from './limits.js'
import type { LuaThread, MachineUser } from './thread.js'

// Sources of modules, and the messages of Lua about them.

/** What Lua says of bytes of an earlier compilation, after the name of the source. */
export const NO_SOURCE = ":1: unexpected symbol near '\\27'"
const BYTECODE = '\x1b'
/** Matches `Module:Name:12: text`. A text of several lines keeps its position. */
const PLACED = /^([^\n]*?):(\d+): ([^\n]*)$/

/** Whether Lua would take a source for bytes of an earlier compilation, which can break it. */
export function isBytecode(source: string): boolean {
  return source.startsWith(BYTECODE)
}

/** A message of Lua; with the place in a source where it has one. */
export interface LuaMessage {
  readonly text: string
  readonly place: { readonly name: string; readonly line: number } | undefined
}

export function parseMessage(message: string): LuaMessage {
  const [, name, line, text] = PLACED.exec(message) ?? []
  if (name === undefined || text === undefined) return { text: message, place: undefined }
  return { text, place: { name, line: Number(line) } }
}

/** Compiling 2 MiB takes 0.2 to 0.3 s of processor time. A hostile source would take many times as long. */
const MAX_TIME_MS = 2000
const TOO_SLOW = 'the source takes too long to compile'
/** Lua takes the source in pieces, and between them the time is looked at. */
const PIECE_BYTES = 4096
const READER_CALL = 0

/** A source on its way into the compiler. */
class Compilation implements MachineUser {
  readonly #thread: LuaThread
  readonly #source: Buffer
  #time: LuaTime | undefined
  #state: LuaState | undefined
  #at = 0

  constructor(thread: LuaThread, source: string) {
    this.#thread = thread
    this.#source = Buffer.from(source)
  }

  /** Why the source cannot be compiled; undefined when it can. */
  fault(name: string): string | undefined {
    const { clock, limits } = this.#thread
    const machine = this.#thread.machineFor(this)
    const state = new LuaState(machine, limits.memoryBytes)
    this.#state = state
    state.getField(GLOBALS, 'load')
    state.pushFunction(READER_CALL)
    state.push(`=${name}`)
    this.#time = new LuaTime(clock, Math.min(MAX_TIME_MS, limits.timeMs))
    this.#time.start()
    const hasRun = state.call(2, 2)
    return hasRun && !state.isNil(-2) ? undefined : state.text(-1)
  }

  /** Lua asks for the next piece; nil ends the source. */
  host(): number {
    const state = this.#openState()
    if (this.#time?.isOver() !== false) state.raise(TOO_SLOW, 0)
    const piece = this.#source.subarray(this.#at, this.#at + PIECE_BYTES)
    this.#at += piece.length
    state.push(piece.length === 0 ? null : piece)
    return 1
  }

  hook(): never {
    throw new Error('a source that is only compiled runs')
  }

  /** The machine has trapped: nobody may use it again. */
  giveUp(): void {
    if (this.#state !== undefined) this.#state.machine.isBroken = true
  }

  close(): void {
    if (this.#state?.machine.isBroken === false) this.#state.close()
    this.#state = undefined
    this.#thread.release(this)
  }

  #openState(): LuaState {
    if (this.#state === undefined) throw new Error('a Lua state calls that is not open')
    return this.#state
  }
}

/**
 * Why a source cannot be compiled under its name (`Module:My_page`); undefined when it can. Takes at most two seconds
 * of processor time, and the memory that the modules of a page may have.
 */
export function checkSyntax(thread: LuaThread, name: string, source: string): LuaMessage | undefined {
  if (isBytecode(source)) return parseMessage(name + NO_SOURCE)
  const compilation = new Compilation(thread, source)
  try {
    const fault = compilation.fault(name)
    return fault === undefined ? undefined : parseMessage(fault)
  } catch (error) {
    if (!isTrap(error)) throw error
    compilation.giveUp()
    return parseMessage(NO_MEMORY)
  } finally {
    compilation.close()
  }
}
