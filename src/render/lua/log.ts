/** What the modules of a page write with `mw.log`: for those who debug a module. Pages do not show it. */

/** Characters of all lines together; a line counts this many more, so that empty ones cost something too. */
const MAX_CHARACTERS = 1_000_000
const LINE_COST = 50
const CUT = 'The log is full: a page keeps 1,000,000 characters.'

export class LuaLog {
  #lines: string[] = []
  #room = MAX_CHARACTERS
  #isFull = false

  /** In the order of writing; a text with line breaks is one entry. The last one says so when some were left out. */
  get lines(): readonly string[] {
    return this.#lines
  }

  add(text: string): void {
    if (this.#isFull) return
    this.#room -= text.length + LINE_COST
    this.#isFull = this.#room < 0
    this.#lines.push(this.#isFull ? CUT : text)
  }

  /** The lines, which are forgotten: there is room for as many more. */
  take(): readonly string[] {
    const lines = this.#lines
    this.#lines = []
    this.#room = MAX_CHARACTERS
    this.#isFull = false
    return lines
  }
}
