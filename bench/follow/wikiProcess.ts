/** A steady wiki in a process of its own, so that its work delays nothing that the parent measures. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { SteadyWiki } from './steadyWiki.js'
import { textOf } from './texts.js'

/** What the parent asks for. The process answers when it is done. */
interface Order {
  readonly edits: number
  readonly answerMs: number
}

export interface OtherWiki {
  readonly url: string
  /** Edits the pages in turn. Later requests are answered after `answerMs`. */
  readonly edit: (edits: number, answerMs: number) => Promise<void>
  readonly close: () => Promise<void>
}

export async function startWiki(pages: number): Promise<OtherWiki> {
  const child = fork(fileURLToPath(import.meta.url), [String(pages)])
  const answer = async (): Promise<unknown> => {
    const [message] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([status]) => {
        throw new Error(`the wiki ended with status ${status}`)
      }),
    ])) as [unknown]
    return message
  }
  const url = (await answer()) as string
  return {
    url,
    edit: async (edits, answerMs) => {
      const done = answer()
      child.send({ edits, answerMs } satisfies Order)
      await done
    },
    close: async () => {
      const exit = once(child, 'exit')
      child.disconnect()
      await exit
    },
  }
}

async function serveWiki(pages: number): Promise<void> {
  const wiki = new SteadyWiki(pages, textOf)
  process.on('message', ({ edits, answerMs }: Order) => {
    wiki.answerMs = answerMs
    wiki.edit(edits)
    process.send!('done')
  })
  process.on('disconnect', () => wiki.close())
  process.send!(await wiki.listen())
}

if (process.send !== undefined) await serveWiki(Number(process.argv[2]))
