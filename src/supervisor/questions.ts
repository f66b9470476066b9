/** Questions to another process, matched with their answers by number. */

export class Questions<Answer> {
  readonly #open = new Map<number, (answer: Answer) => void>()
  #last = 0

  /** Asks with `send`, whose number the answer must repeat. Undefined when no answer arrives in `timeoutMs`. */
  ask(send: (question: number) => void, timeoutMs: number): Promise<Answer | undefined> {
    const question = ++this.#last
    return new Promise((resolve) => {
      const finish = (answer: Answer | undefined): void => {
        clearTimeout(timer)
        this.#open.delete(question)
        resolve(answer)
      }
      const timer = setTimeout(() => finish(undefined), timeoutMs)
      this.#open.set(question, finish)
      send(question)
    })
  }

  /** Accepts an answer. Late ones are ignored. */
  answer(question: number, answer: Answer): void {
    this.#open.get(question)?.(answer)
  }
}
