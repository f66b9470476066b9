/** The part of build.mjs that tests use. */
export const ENTRIES: readonly string[]
export function bundle(entries: Readonly<Record<string, string>>, folder: string): Promise<void>
export function build(): Promise<void>
