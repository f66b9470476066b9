/** The questions about files and accounts. */
import type { Namespaces } from '../../domain/namespaces.js'
import { prefixedText, type Title } from '../../domain/title.js'
import { fileKey, type StatedFile, statedFile } from './answers.js'
import { type Fields, fieldsOf, listOf, requiredList, textOf, unexpected } from './fields.js'
import type { Part } from './lists.js'
import type { Requests } from './requests.js'

const FILE_FIELDS = 'timestamp|user|userid|size|dimensions|sha1|mime|mediatype|url'
/** Greater wikis have some hundred. */
const MOST_BOTS = 100_000

export interface ReadList {
  readonly requests: Requests
  readonly namespaces: Namespaces
  /** The items that a row can hold. */
  readonly storable: <Item>(
    rows: readonly unknown[],
    read: (row: unknown) => Item,
    what: string,
    field: string,
  ) => Item[]
}

/** The files of titles; absent: there is no such file in the wiki itself. */
export async function presentFiles(
  { requests, namespaces, storable }: ReadList,
  titles: readonly Title[],
  atOnce: number,
): Promise<StatedFile[]> {
  const files: StatedFile[] = []
  for (const some of parts(titles, atOnce)) {
    const names = some.map((title) => prefixedText(title, namespaces))
    const subject = { prop: 'imageinfo', iiprop: FILE_FIELDS, titles: names.join('|') }
    const read = (query: Fields): StatedFile[] => {
      const local = requiredList(query['pages'], 'pages')
        .map((row) => fieldsOf(row, 'pages'))
        .filter((row) => row['imagerepository'] === 'local' && row['imageinfo'] !== undefined)
      return storable(local, (row) => pageFile(row as Fields, namespaces), 'file', 'title')
    }
    for await (const present of requests.all(subject, read)) {
      files.push(...present)
      // Where one title is asked for, the answer goes on with older versions of its file.
      if (some.length === 1) break
    }
  }
  return [...new Map(files.reverse().map((file) => [file.dbkey, file])).values()].reverse()
}

/** All files by name. */
export function listFiles(
  { requests, namespaces, storable }: ReadList,
  next: string | undefined,
): Promise<Part<StatedFile>> {
  const fields = {
    list: 'allimages',
    aisort: 'name',
    ailimit: 'max',
    aiprop: FILE_FIELDS,
    aicontinue: next,
  }
  const read = (value: unknown): StatedFile => {
    const row = fieldsOf(value, 'allimages')
    return statedFile(row, fileKey(row, namespaces))
  }
  return requests.part(fields, 'aicontinue', (query) =>
    storable(requiredList(query['allimages'], 'allimages'), read, 'file', 'name'),
  )
}

function pageFile(page: Fields, namespaces: Namespaces): StatedFile {
  const [info] = listOf(page['imageinfo'], 'imageinfo')
  return statedFile(fieldsOf(info, 'imageinfo'), fileKey(page, namespaces))
}

/** Names of all accounts in the group `bot`, sorted. */
export async function listBots({ requests, storable }: ReadList): Promise<string[]> {
  const names: string[] = []
  const nameOf = (user: unknown): string => textOf(fieldsOf(user, 'allusers')['name'], 'name')
  let next: string | undefined
  do {
    const fields = { list: 'allusers', augroup: 'bot', aulimit: 'max', aufrom: next }
    const part: Part<string> = await requests.part(fields, 'aufrom', (query) =>
      storable(requiredList(query['allusers'], 'allusers'), nameOf, 'account', 'userid'),
    )
    names.push(...part.items)
    next = part.next
    if (names.length > MOST_BOTS) throw unexpected(`it has more than ${MOST_BOTS} bots`)
  } while (next !== undefined)
  return [...new Set(names)].sort()
}

export function* parts<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
