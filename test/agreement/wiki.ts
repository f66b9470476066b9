/** One of the two wikis that are asked the same. */

export interface Answer {
  readonly status: number
  readonly text: string
  /** The body as JSON; empty when it is none. */
  readonly json: Readonly<Record<string, unknown>>
}

export interface Saved {
  readonly id: number
  readonly source: string
}

/** A wiki by the URL of its REST API. It lets everybody edit, with the token of the anonymous. */
export class Wiki {
  readonly #base: string

  constructor(base: string) {
    this.#base = base
  }

  async ask(path: string, method = 'GET', body?: object): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' }
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
    const response = await fetch(`${this.#base}/v1${path}`, init)
    const text = await response.text()
    return { status: response.status, text, json: parseObject(text) }
  }

  create(title: string, source: string, comment: string): Promise<Answer> {
    return this.ask('/page', 'POST', { title, source, comment, token: TOKEN })
  }

  update(title: string, source: string, comment: string, base: number): Promise<Answer> {
    return this.ask(pagePath(title), 'PUT', { source, comment, token: TOKEN, latest: { id: base } })
  }
}

const TOKEN = '+\\'

export const pagePath = (title: string): string => `/page/${encodeURIComponent(title)}`

/** The revision that an answer to an edit tells of; undefined when nothing was saved. */
export function savedRevision({ json }: Answer): Saved | undefined {
  const latest = json['latest'] as { readonly id: number } | undefined
  return latest && { id: latest.id, source: String(json['source']) }
}

/** The common part of both wikis' answers: status, and the page without id and times, or the error's kind and message. */
export function essence({ status, json, text }: Answer): string {
  const { key, title, content_model: model, source } = json
  if (status < 300) return JSON.stringify([status, key, title, model, source])
  const messages = json['messageTranslations'] as Record<string, string> | undefined
  const kind = json['actionModuleErrorCode'] ?? json['failureCode'] ?? json['error']
  return JSON.stringify([status, kind, messages?.['en'] ?? json['message'] ?? text])
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return {}
  }
}
