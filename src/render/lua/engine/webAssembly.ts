/** The subset in use of the WebAssembly API, since Node's types leave it to browser types. */

export type WasmModule = object
export type WasmFunction = (...args: number[]) => number | undefined

export interface WasmTable {
  get(index: number): WasmFunction
  set(index: number, value: WasmFunction): void
  grow(by: number): number
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

export interface WasmGlobal {
  value: number
}

type Imports = Readonly<
  Record<string, Readonly<Record<string, ((...args: number[]) => unknown) | WasmTable>>>
>

interface WebAssembly {
  readonly Module: new (bytes: Uint8Array) => WasmModule
  readonly RuntimeError: new (message: string) => Error
  readonly Instance: new (module: WasmModule, imports: Imports) => { readonly exports: object }
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WebAssembly }

/** True for an instruction that cannot be done, such as a read outside of the memory. The instance must not go on. */
export function isTrap(error: unknown): boolean {
  return error instanceof wasm.RuntimeError
}

export function compile(bytes: Uint8Array): WasmModule {
  return new wasm.Module(bytes)
}

/** Instantiates without running anything, and returns the module's exports. */
export function instantiate<Exports>(module: WasmModule, imports: Imports): Exports {
  return new wasm.Instance(module, imports).exports as Exports
}
