/** The modules of one page: their state, which the first call opens, and the result of each call. */
import type { Title } from '../../domain/title.js'
import type { Expander } from '../preprocessor/expander.js'
import type { ExpansionFrame } from '../preprocessor/frame.js'
import type { ModuleCall, ModuleCaller, ModuleResult } from '../preprocessor/moduleCall.js'
import type { WikiPage } from '../preprocessor/source.js'
import {
  FIRST_UPVALUE,
  GLOBALS,
  LuaError,
  LuaState,
  NO_MEMORY,
  outOfMemory,
  TYPE,
  Values,
} from './engine/state.js'
import { isTrap } from './engine/webAssembly.js'
import type { LuaAddress, LuaMachine } from './engine/machine.js'
import { HostArguments } from './host/arguments.js'
import { HOST, RAW_CALL } from './host/index.js'
import { type Evaluation, loadLine, tracebackLines } from './console.js'
import { BASE } from './library/base.js'
import { LuaTime, TIME_OVER } from './limits.js'
import { LuaLog } from './log.js'
import { ModuleCalls } from './moduleCalls.js'
import type { LuaSession, PendingCall } from './session.js'
import { isBytecode, NO_SOURCE, parseMessage } from './syntax.js'
import type { LuaThread, MachineUser } from './thread.js'
import type { Pattern } from './ustring/pattern.js'
import { SubjectCache } from './ustring/subject.js'

const REGISTRY = -10000
/** Registry indexes of the functions that the base chunk returns. */
const ENTRY = { call: 1000, console: 1001, remember: 1002 } as const
const INSTRUCTIONS_PER_CHECK = 10_000
/** With more memory in use, checks are more frequent. */
const SMALL_BYTES = 4_000_000
/** Pause between two collections, in percent, while little memory is in use; above that, Lua's own. */
const LONG_PAUSE = 400
const USUAL_PAUSE = 200
/** Extra memory that a state may use while it opens. */
const OPENING_BYTES = 16_000_000
/** Longest text of an error. To find its place takes time with its square. */
const MAX_ERROR_CHARACTERS = 10_000
/** Memory of a frame outside of Lua, without its arguments. */
const FRAME_BYTES = 1000

export class LuaPage implements ModuleCaller, LuaSession, MachineUser {
  readonly expander: Expander
  readonly thread: LuaThread
  /** Frames by number, from 1. Those of a call are removed at its end. */
  readonly frames: ExpansionFrame[] = []
  /** Titles already counted as expensive. */
  readonly expensiveTitles = new Set<string>()
  readonly languages = new Set<string>()
  readonly time: LuaTime
  readonly log = new LuaLog()
  readonly subjects = new SubjectCache()
  /** Compiled patterns, by their bytes. */
  readonly patterns = new Map<string, Pattern>()
  /** Memory outside of Lua: of frames, until their call ends, and of texts that modules have read. */
  #heldBytes = 0
  #readBytes = 0
  pending: PendingCall | undefined
  /** True once `math.random` has a seed. */
  isSeeded = false
  /** Lua's own functions that host functions call, as indexes in the function table. */
  readonly natives = { format: 0, random: 0, randomseed: 0 }
  #state: LuaState | undefined
  #depth = 0
  #isOver = false
  /** Of the last error, if the runtime keeps tracebacks. */
  traceback: string | undefined
  /** An exception of this program below Lua, to be thrown again above it. */
  #failure: Error | undefined
  readonly #calls: ModuleCalls

  constructor(thread: LuaThread, expander: Expander) {
    this.thread = thread
    this.expander = expander
    this.#calls = new ModuleCalls(thread.guard, expander)
    this.time = new LuaTime(thread.clock, thread.limits.timeMs)
  }

  /** Releases the memory. The page stays usable and opens a new state on the next call. */
  close(): void {
    const state = this.#state
    this.#state = undefined
    this.frames.length = 0
    if (state !== undefined && !state.machine.isBroken) state.close()
    this.thread.release(this)
  }

  call({ title, functionName, frame }: ModuleCall): ModuleResult {
    if (this.#isOver) return { error: TIME_OVER }
    const kept = this.frames.length
    const held = this.#heldBytes
    const name = this.nameOf(title)
    this.#calls.begin(name)
    try {
      return this.#run((state) => {
        const parent = frame.parent
        const parentId = parent === undefined ? undefined : this.addFrame(parent)
        this.pending = { frameId: this.addFrame(frame), parentId, name, functionName }
        return this.#result(state, this.#protected(state, 'call', 2))
      })
    } finally {
      this.#calls.end()
      this.frames.length = Math.min(this.frames.length, kept)
      this.#heldBytes = held
    }
  }

  /**
   * Runs a line of a console: a statement, an expression, or an expression behind `=`. Globals and frames stay for the
   * next line, which gets the whole time again.
   */
  evaluate(source: string): Evaluation {
    this.time.restart()
    this.#isOver = false
    const result = this.#run((state): Evaluation => {
      state.hookEvery(INSTRUCTIONS_PER_CHECK)
      const fault = loadLine(state, source)
      if (fault !== undefined) return fault
      const isDone = this.#protected(state, 'console', 1, 1)
      this.#throwFailure(state)
      if (this.#isOver) return { error: TIME_OVER, traceback: [] }
      if (!isDone) return { error: valueText(state), traceback: this.#takeTraceback() }
      return { shown: state.type(-1) === TYPE.nil ? undefined : state.text(-1) }
    })
    return this.#state === undefined ? { ...result, isStateLost: true } : result
  }

  /** Does something with the state, for which the page's time counts. */
  #run<Result>(work: (state: LuaState) => Result): Result | { error: string; traceback: readonly string[] } {
    const state = this.#state ?? this.#openState()
    if ('error' in state) return state
    const { top } = state
    if (this.#depth++ === 0) this.time.start()
    try {
      return work(state)
    } catch (error) {
      if (isTrap(error)) state.machine.isBroken = true
      if (!state.machine.isBroken || this.#depth > 1) throw error
      return this.#giveUp(error)
    } finally {
      if (!state.machine.isBroken) this.#tidy(state, top)
      if (--this.#depth === 0) this.time.stop()
    }
  }

  /** Lets go of a machine that is broken. Throws the error if it is none of a module's. */
  #giveUp(error: unknown): { error: string; traceback: readonly string[] } {
    this.#state = undefined
    this.thread.release(this)
    if (error instanceof RangeError) return { error: 'Lua error: C stack overflow.', traceback: [] }
    // After many failures of allocation, the C code may go on with memory that it did not get.
    if (isTrap(error)) return { error: `Lua error: ${NO_MEMORY}.`, traceback: [] }
    throw error
  }

  /** Frees memory for the next call, since Lua fails at the limit even if it could free some. */
  #tidy(state: LuaState, top: number): void {
    state.top = top
    if (this.#depth === 1 && state.usedBytes > this.thread.limits.memoryBytes / 2) state.collectGarbage()
  }

  /** Calls a function of the base chunk with the arguments on the stack. Returns false with the error value. */
  #protected(state: LuaState, entry: 'call' | 'console', results: number, args = 0): boolean {
    const { lua } = state.machine
    const base = state.top - args + 1
    let handler = 0
    if (this.thread.keepsTracebacks) {
      this.traceback = undefined
      lua.lua_rawgeti(state.address, REGISTRY, ENTRY.remember)
      lua.lua_insert(state.address, base)
      handler = base
    }
    lua.lua_rawgeti(state.address, REGISTRY, ENTRY[entry])
    if (args > 0) lua.lua_insert(state.address, -1 - args)
    return state.call(args, results, handler)
  }

  #takeTraceback(): string[] {
    return this.traceback === undefined ? [] : tracebackLines(this.traceback)
  }

  /** Counts an expensive function call. With a key, it counts only the first time. */
  countExpensive(key?: string): void {
    if (key !== undefined && this.expensiveTitles.has(key)) return
    if (!this.expander.budget.takeLookup()) {
      this.expander.report.addFault('lookups')
      throw new LuaError('too many expensive function calls')
    }
    if (key !== undefined) this.expensiveTitles.add(key)
  }

  addFrame(frame: ExpansionFrame, characters = 0): number {
    this.#heldBytes += FRAME_BYTES + characters
    if (this.#heldBytes > this.thread.limits.memoryBytes) throw outOfMemory()
    return this.frames.push(frame)
  }

  dependOn(title: Title): void {
    const { report, budget } = this.expander
    if (report.hasPage(title)) return
    budget.countCall()
    report.addPage(title)
  }

  readPage(title: Title): WikiPage | undefined {
    const { report, source } = this.expander
    const isNew = !report.hasPage(title)
    this.dependOn(title)
    const page = source.readPage(title)
    if (isNew) this.#readBytes += page?.text.length ?? 0
    if (this.#readBytes > this.thread.limits.memoryBytes) throw outOfMemory()
    return page
  }

  mayRun(name: string, revisionId: number): boolean {
    return this.#calls.mayRun(name, revisionId)
  }

  frame(id: number): ExpansionFrame {
    const frame = this.frames[id - 1]
    if (frame === undefined) throw new LuaError('the frame belongs to a call that has ended')
    return frame
  }

  /** Such as `Module:My page`. */
  nameOf(title: Title): string {
    return this.expander.titles.fullText(title)
  }

  /** Runs a host function that Lua calls. */
  host(address: LuaAddress, number: number): number {
    const state = this.#state
    if (state?.address !== address) throw new Error('a Lua state that is not open made a call')
    let failure: LuaError
    try {
      // Lua counts its own instructions only, and one call may take long.
      this.checkTime()
      const operation = HOST[state.number(FIRST_UPVALUE)]
      if (operation === undefined) throw new Error('Lua calls a function that does not exist')
      if (number === RAW_CALL)
        return (operation.run as (state: LuaState, page: LuaSession) => number)(state, this)
      const result = (operation.run as (args: HostArguments, page: LuaSession) => never)(
        new HostArguments(state),
        this,
      )
      return pushResult(state, result)
    } catch (error) {
      // Lua's own jump out of a C function, or a broken machine.
      if (typeof error === 'number' || state.machine.isBroken || isTrap(error)) throw error
      failure = error instanceof LuaError ? error : this.#failed(error)
    }
    return state.raise(failure.message, failure.level)
  }

  /** Called at a fixed interval of instructions. */
  hook(address: LuaAddress): void {
    const state = this.#state
    if (state?.address !== address) throw new Error('a Lua state that is not open made a call')
    const mustEnd = this.#failure !== undefined || this.#isOver || this.#hasRunTooLong()
    if (mustEnd) state.raise(TIME_OVER, 0)
    // An instruction may copy or compare strings, and those are longer where much memory is in use.
    const { usedBytes } = state
    state.hookEvery(Math.ceil(INSTRUCTIONS_PER_CHECK * Math.min(1, SMALL_BYTES / usedBytes)))
    state.pauseCollection(usedBytes < 2 * SMALL_BYTES ? LONG_PAUSE : USUAL_PAUSE)
  }

  /** Called during long work of the host. */
  checkTime(): void {
    if (this.#isOver || this.#hasRunTooLong()) throw new LuaError(TIME_OVER)
  }

  /** No time runs while the state is opened. */
  #hasRunTooLong(): boolean {
    if (this.#depth === 0 || !this.time.isOver()) return false
    this.#isOver = true
    this.expander.report.addOmission('modules took more time than a page may')
    this.#calls.ranOutOfTime(this.time.usedMs)
    this.#state?.hookEvery(1)
    return true
  }

  /** Stops the modules of the page. If they catch the error, the next instruction raises it again. */
  #failed(error: unknown): LuaError {
    if (error instanceof RangeError) return new LuaError('C stack overflow')
    this.#failure = error instanceof Error ? error : new Error(String(error))
    this.#state?.hookEvery(1)
    return new LuaError('the page cannot be expanded further')
  }

  #result(state: LuaState, isDone: boolean): ModuleResult {
    this.#throwFailure(state)
    if (this.#isOver) return { error: TIME_OVER }
    if (!isDone) {
      const error = valueText(state) === TIME_OVER ? TIME_OVER : errorText(state)
      return { error, traceback: this.#takeTraceback() }
    }
    const text = state.text(-2)
    return state.boolean(-1) ? { error: `Script error: ${text}` } : { text }
  }

  #throwFailure(state: LuaState): void {
    const failure = this.#failure
    if (failure === undefined) return
    if (this.#depth === 1) {
      this.#failure = undefined
      state.hookEvery(INSTRUCTIONS_PER_CHECK)
    }
    throw failure
  }

  #openState(): LuaState | { error: string; traceback: readonly string[] } {
    const machine = this.thread.machineFor(this)
    try {
      return this.#prepare(machine)
    } catch (error) {
      if (!isTrap(error)) throw error
      machine.isBroken = true
      return this.#giveUp(error)
    }
  }

  #prepare(machine: LuaMachine): LuaState {
    const { memoryBytes } = this.thread.limits
    const state = new LuaState(machine, memoryBytes + OPENING_BYTES)
    this.#state = state
    this.natives.format = nativeOf(state, 'string', 'format')
    this.natives.random = nativeOf(state, 'math', 'random')
    this.natives.randomseed = nativeOf(state, 'math', 'randomseed')
    this.loadChunk(state, '=mw.lua', BASE)
    pushHost(state)
    const entries = Object.values(ENTRY)
    if (!state.call(1, entries.length)) throw new Error(`Lua's base library failed: ${state.text(-1)}`)
    for (const entry of entries.reverse()) machine.lua.lua_rawseti(state.address, REGISTRY, entry)
    machine.limitMemory(memoryBytes)
    state.hookEvery(INSTRUCTIONS_PER_CHECK)
    state.pauseCollection(LONG_PAUSE)
    return state
  }

  /** Seeds `math.random`. Call it only from functions that Lua has called. */
  seedRandom(seed: number): void {
    const state = this.#state
    if (state === undefined) return
    state.machine.lua.lua_pushcclosure(state.address, this.natives.randomseed, 0)
    state.push(seed)
    state.machine.lua.lua_call(state.address, 1, 0)
  }

  /** Pushes the main function of a source. Returns false with a message on the stack. */
  loadChunk(state: LuaState, name: string, source: string): boolean {
    const known = this.thread.chunks.get(name, source)
    if (known !== undefined) return state.load(known, name)
    if (isBytecode(source)) {
      state.push(name.slice(1) + NO_SOURCE)
      return false
    }
    if (!state.load(Buffer.from(source), name)) return false
    this.thread.chunks.set(name, source, state.dump())
    return true
  }
}

function pushResult(state: LuaState, result: Parameters<LuaState['push']>[0] | Values): number {
  if (result instanceof Values) {
    for (const value of result.list) state.push(value)
    return result.list.length
  }
  state.push(result)
  return 1
}

function nativeOf(state: LuaState, library: string, name: string): number {
  state.getField(GLOBALS, library)
  state.getField(-1, name)
  const place = state.machine.lua.lua_tocfunction(state.address, -1)
  state.top -= 2
  return place
}

/** Pushes a table of the host's functions. The upvalue of each is its number. */
function pushHost(state: LuaState): void {
  state.pushTable(0, HOST.length)
  for (const [number, { name, call }] of HOST.entries()) {
    state.push(number)
    state.pushFunction(call, 1)
    state.setField(-2, name)
  }
}

/** An error's value as a text. */
function valueText(state: LuaState): string {
  const type = state.type(-1)
  if (type !== TYPE.string && type !== TYPE.number) return 'unknown error'
  const text = state.text(-1)
  return text.length > MAX_ERROR_CHARACTERS ? `${text.slice(0, MAX_ERROR_CHARACTERS)}…` : text
}

/** The text of an error that a module did not catch. */
function errorText(state: LuaState): string {
  const { text, place } = parseMessage(valueText(state))
  return place === undefined
    ? `Lua error: ${text}.`
    : `Lua error in ${place.name} at line ${place.line}: ${text}.`
}
