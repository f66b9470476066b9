/** Clients that edit without a pause, and remember what a server said it has. */
import { type Answer, send } from '../conformance/garden.js'

const JSON_BODY = { 'Content-Type': 'application/json' }

abstract class Editor {
  /** What was acknowledged. */
  readonly saved: string[] = []
  /** Answers other than success, and broken connections. */
  failures = 0
  readonly #loop: Promise<void>
  #stopped = false
  #onSaved: () => void = () => undefined

  constructor() {
    // Begun when the class that extends this one is complete.
    this.#loop = Promise.resolve().then(() => this.#edit())
  }

  /** Waits until so many more edits are acknowledged. */
  async savedMore(count: number): Promise<void> {
    const aim = this.saved.length + count
    await new Promise<void>((resolve) => {
      this.#onSaved = () => {
        if (this.saved.length >= aim) resolve()
      }
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#loop
  }

  /** Makes one edit. Returns the acknowledged text, or undefined. */
  protected abstract editOnce(number: number): Promise<string | undefined>

  async #edit(): Promise<void> {
    for (let number = 1; !this.#stopped; number++) {
      const saved = await this.editOnce(number).catch(() => undefined)
      if (saved === undefined) {
        this.failures++
        continue
      }
      this.saved.push(saved)
      this.#onSaved()
    }
  }
}

/** Creates page after page; remembers their titles. */
export class PageMaker extends Editor {
  readonly #port: number

  constructor(port: number) {
    super()
    this.#port = port
  }

  protected async editOnce(number: number): Promise<string | undefined> {
    const title = `Made_${number}`
    const body = JSON.stringify({ title, source: `text of ${title}`, comment: null, token: '+\\' })
    const answer = await send(this.#port, '/v1/page', { method: 'POST', headers: JSON_BODY, body })
    return answer.status === 201 ? title : undefined
  }
}

/** Adds line after line to one page, each on top of the revision before; remembers the lines. */
export class LineAdder extends Editor {
  readonly #port: number
  readonly #path: string
  #latest: { id: number; source: string } | undefined

  constructor(port: number, path: string) {
    super()
    this.#port = port
    this.#path = path
  }

  protected async editOnce(number: number): Promise<string | undefined> {
    this.#latest ??= readLatest(
      await send(this.#port, this.#path, { headers: { 'Cache-Control': 'no-cache' } }),
    )
    const line = `* line ${number}.`
    const { id, source } = this.#latest
    const body = JSON.stringify({ source: `${source}\n${line}`, comment: '', token: '+\\', latest: { id } })
    this.#latest = undefined
    const answer = await send(this.#port, this.#path, { method: 'PUT', headers: JSON_BODY, body })
    if (answer.status !== 200) return undefined
    this.#latest = readLatest(answer)
    return line
  }
}

function readLatest({ body }: Answer): { id: number; source: string } {
  const { latest, source } = body as { latest: { id: number }; source: string }
  return { id: latest.id, source }
}
