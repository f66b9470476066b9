/** Sources of modules, and the messages of Lua about them. */

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
