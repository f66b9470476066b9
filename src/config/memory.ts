/**
 * What the memory of a server is for. At 1 GiB for each process:
 *
 *     process │ ready answers │ comparisons │ answers of slow clients │ threads for HTML
 *       96    │     128       │     32      │          256            │   512 MiB
 */
import { usableMemory } from '../runtime/memory.js'

const MIB = 2 ** 20
const USUAL_BYTES = 2 ** 30
/** A render thread, or one for conversions, with the pages and modules at hand. */
const THREAD_BYTES = 200_000_000
/** As much as modules have on Wikipedia. More would not make a page that fails there right. */
const MOST_MODULE_BYTES = 50 * MIB

type Shares = Record<'hotAnswersBytes' | 'comparisonsBytes' | 'slowAnswersBytes' | 'luaMemoryBytes', number>

/** The settings that follow `--memory`, unless they are given themselves. */
export function memoryShares(bytes: number): Shares {
  return {
    hotAnswersBytes: Math.floor(bytes / 8),
    comparisonsBytes: Math.floor(bytes / 32),
    slowAnswersBytes: Math.floor(bytes / 4),
    luaMemoryBytes: Math.min(MOST_MODULE_BYTES, Math.max(MIB, Math.floor(bytes / 16))),
  }
}

/** The value of `--memory`. */
export type Memory = number | 'usual' | 'auto'

/** Bytes for each of the processes. */
export function processMemory(memory: Memory, processes: number, usable = usableMemory): number {
  if (memory === 'usual') return USUAL_BYTES
  return Math.floor((memory === 'auto' ? usable() / 2 : memory) / processes)
}

/** The most render threads of a process that fit into half of its memory, with half as many more for conversions. */
export function mostRenderThreads(bytes: number): number {
  return Math.max(1, Math.floor(bytes / 2 / (1.5 * THREAD_BYTES)))
}
