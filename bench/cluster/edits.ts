/** Single requests to a node, and what it answers. */

export interface Told {
  readonly status: number
  /** Empty unless the answer is an error of the server. */
  readonly errorKey: string
}

const NO_ANSWER: Told = { status: 0, errorKey: 'no answer' }

/** Makes a page. */
export async function create(origin: string, title: string): Promise<Told> {
  const body = JSON.stringify({ source: title, title, comment: '', token: '+\\' })
  const headers = { 'content-type': 'application/json' }
  try {
    const answer = await fetch(`${origin}/v1/page`, { method: 'POST', headers, body })
    const { errorKey = '' } = (await answer.json()) as { errorKey?: string }
    return { status: answer.status, errorKey }
  } catch {
    return NO_ANSWER
  }
}

/** Status of the answer to a read. */
export async function read(origin: string, title: string): Promise<number> {
  const answer = await fetch(`${origin}/v1/page/${title.replaceAll(' ', '_')}`)
  await answer.arrayBuffer()
  return answer.status
}
