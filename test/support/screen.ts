/** The screen of a terminal after some output, with all lines from the first one ever written. */
const ESCAPE = /^\x1b\[(\??)([0-9;]*)([A-Za-z])/

export class Screen {
  readonly #columns: number
  readonly #rows: string[][] = [[]]
  /** Rows that go on in the next one. */
  readonly #wrapped = new Set<number>()
  #row = 0
  #column = 0

  constructor(columns: number) {
    this.#columns = columns
  }

  /** Lines with what stands on them; those that are wider than the screen take several. */
  get lines(): string[] {
    return this.#rows.map((row) => row.join('').trimEnd())
  }

  /** The whole screen, with wrapped lines joined. */
  get text(): string {
    return this.#rows
      .map((row, n) => (this.#wrapped.has(n) ? row.join('') : `${row.join('').trimEnd()}\n`))
      .join('')
  }

  /** Throws for an escape sequence that it does not know. */
  write(output: string): void {
    for (let at = 0; at < output.length;) {
      const escape = ESCAPE.exec(output.slice(at, at + 20))
      if (escape !== null) {
        this.#control(escape)
        at += escape[0].length
        continue
      }
      const sign = String.fromCodePoint(output.codePointAt(at)!)
      if (sign === '\r') this.#column = 0
      else if (sign === '\n') this.#nextRow()
      else this.#put(sign)
      at += sign.length
    }
  }

  #put(sign: string): void {
    if (this.#column === this.#columns) {
      this.#wrapped.add(this.#row)
      this.#nextRow()
    }
    const row = this.#rows[this.#row]!
    while (row.length < this.#column) row.push(' ')
    row[this.#column++] = sign
  }

  #nextRow(): void {
    this.#row++
    this.#column = 0
    if (this.#row === this.#rows.length) this.#rows.push([])
  }

  #control([sequence, isPrivate, parameter, action]: RegExpExecArray): void {
    const number = Number(parameter || 0)
    if (isPrivate !== '') return
    if (action === 'G') this.#column = Math.max(1, number) - 1
    else if (action === 'A') this.#row = Math.max(0, this.#row - Math.max(1, number))
    else if (action === 'K' && number === 0)
      this.#rows[this.#row]!.length = Math.min(this.#column, this.#columns)
    else if (action === 'K' && number === 2) this.#rows[this.#row] = []
    else if (action === 'J' && number === 0) {
      this.#rows.length = this.#row + 1
      this.#rows[this.#row]!.length = Math.min(this.#column, this.#rows[this.#row]!.length)
    } else throw new Error(`unknown escape sequence ${JSON.stringify(sequence)}`)
  }
}
