/** Questions to another process, and their answers when they come. */

export class Questions<Answer> {
  readonly #open = new Map<number, (answer: Answer) => void>()
  #last = 0

  /**
   * Asks with `send`, which gets the number that the answer must bear. Undefined when none came in `timeoutMs`.
   */
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

  /** Takes an answer; one that comes too late is for nobody. */
  answer(question: number, answer: Answer): void {
    this.#open.get(question)?.(answer)
  }
}
