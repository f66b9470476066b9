/** The words that one walk over the log takes out: all requests together, for quick look-ups. */
import { type Title, titleId } from '../../domain/title.js'
import type { Editor } from '../../domain/revision.js'
import type { RevisionPart } from '../entries/administration.js'
import { isPseudonym, pseudonymOf, pseudonymOfPage } from '../accounts/pseudonyms.js'
import type { StoredRequest } from '../apply/eraseRequests.js'

/** The words that entries up to one position may have. */
export interface WordsAt {
  isPartGone(revisionId: number, part: RevisionPart): boolean
  /** The page lost words. */
  isPage(pageId: number): boolean
  /** Nothing is left of the page. */
  isPageGone(pageId: number): boolean
  isUser(userId: number): boolean
  /** The dbkey of a title as the log may have it. `pageId`: the page that the entry tells of. */
  dbkeyOf(title: Title, pageId?: number): string
  editorOf(editor: Editor): Editor
  /** The name of an account. */
  nameOf(name: string): string
}

interface GonePage {
  readonly until: number
  /** Its titles, by their numbers. */
  readonly titles: readonly string[]
}

/** What takes the place of a word, in entries up to a position. */
interface Replaced {
  readonly until: number
  readonly by: string
}

export class ErasedWords {
  /** `part id` → last position. */
  readonly #parts = new Map<string, number>()
  readonly #pages = new Map<number, number>()
  readonly #gonePages = new Map<number, GonePage>()
  readonly #users = new Map<number, Replaced>()
  readonly #titles = new Map<string, Replaced>()
  readonly #names = new Map<string, Replaced>()

  constructor(requests: readonly StoredRequest[]) {
    for (const request of requests) this.#add(request)
  }

  #add({ request, until }: StoredRequest): void {
    if (request.of === 'revisions') {
      raise(this.#pages, request.pageId, until)
      for (const id of request.revisionIds)
        for (const part of request.parts) raise(this.#parts, `${part} ${id}`, until)
    } else if (request.of === 'page') {
      raise(this.#pages, request.pageId, until)
      const titles = (request.titles ?? []).map(titleId)
      this.#gonePages.set(request.pageId, { until, titles })
    } else if (request.of === 'title') {
      this.#titles.set(titleId(request.title), { until, by: pseudonymOfPage(request.pageId, request.number) })
    } else if (request.of === 'user') {
      const { userId, actorIds, names } = request
      const replaced = { until, by: pseudonymOf({ userId, actorId: actorIds[0] }) }
      if (userId !== null) this.#users.set(userId, replaced)
      for (const name of names) this.#names.set(name, replaced)
    }
  }

  upTo(sequence: number): WordsAt {
    const holds = (until: number | undefined): boolean => until !== undefined && sequence <= until
    const replaced = (found: Replaced | undefined): string | undefined =>
      found !== undefined && holds(found.until) ? found.by : undefined
    return {
      isPartGone: (revisionId, part) => holds(this.#parts.get(`${part} ${revisionId}`)),
      isPage: (pageId) => holds(this.#pages.get(pageId)),
      isPageGone: (pageId) => holds(this.#gonePages.get(pageId)?.until),
      isUser: (userId) => replaced(this.#users.get(userId)) !== undefined,
      dbkeyOf: (title, pageId) =>
        pageId !== undefined && holds(this.#gonePages.get(pageId)?.until)
          ? dbkeyOfGone(title, pageId, this.#gonePages.get(pageId)!)
          : (replaced(this.#titles.get(titleId(title))) ?? title.dbkey),
      editorOf: (editor) => {
        const { id } = editor
        const name = replaced(id === null ? this.#names.get(editor.name) : this.#users.get(id))
        return name === undefined || name === editor.name ? editor : { ...editor, name }
      },
      nameOf: (name) => replaced(this.#names.get(name)) ?? name,
    }
  }
}

function raise<Key>(positions: Map<Key, number>, key: Key, until: number): void {
  positions.set(key, Math.max(until, positions.get(key) ?? 0))
}

/** Different titles of a page stay different, so that a replay moves the page as before. */
function dbkeyOfGone(title: Title, pageId: number, { titles }: GonePage): string {
  if (isPseudonym(title.dbkey)) return title.dbkey
  return pseudonymOfPage(pageId, Math.max(0, titles.indexOf(titleId(title))))
}
