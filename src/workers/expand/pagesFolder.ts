/**
 * A folder of pages, for texts that are not in a wiki yet. Paths are titles. A first folder with the name of a
 * namespace is the prefix:
 *
 *     Template:Note.wiki           Template:Note
 *     Template/Note/doc.wiki       Template:Note/doc
 *     Module/Note.lua, Note.lua    Module:Note
 *     Main Page                    Main Page; endings but .wiki, .wikitext and .lua are part of the title
 *     A%3F.wiki                    A?
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultContentModel } from '../../domain/contentModel.js'
import { MODULE } from '../../domain/namespaceIds.js'
import type { Namespaces } from '../../domain/namespaces.js'
import { decodePercent } from '../../domain/percent.js'
import { parseTitle, type Title, titleId } from '../../domain/title.js'
import { UserError } from '../../runtime/userError.js'

/** A file of the folder is no page; the message names it. */
export class PagesFolderError extends UserError {
  override readonly name = 'PagesFolderError'
}

export interface FolderPage {
  /** Of the page and its revision. No stored one has it. */
  readonly id: number
  readonly title: Title
  readonly contentModel: string
  /** Throws a PagesFolderError when the file is not text in UTF-8. */
  read(): string
}

const SOURCE_ENDING = /\.(?:wiki|wikitext|lua)$/
/** Files that editors and version control leave beside others. */
const NO_PAGE = /^\.|~$/

const FIRST_ID = 2 ** 31

/** Pages by `titleId`, such as `10:Note`. Throws a PagesFolderError, or what the system says. */
export function listFolder(folder: string, namespaces: Namespaces): ReadonlyMap<string, FolderPage> {
  const pages = new Map<string, FolderPage>()
  const paths = new Map<string, string>()
  for (const path of filesBelow(folder)) {
    const title = titleOfPath(path, namespaces)
    if (title === undefined)
      throw new PagesFolderError(`${join(folder, path)} is not named by a page's title`)
    const key = titleId(title)
    const other = paths.get(key)
    if (other !== undefined)
      throw new PagesFolderError(`${join(folder, other)} and ${join(folder, path)} are one page`)
    paths.set(key, path)
    pages.set(key, pageOf(title, FIRST_ID + pages.size, join(folder, path)))
  }
  return pages
}

/** The title that a path below the folder means. */
export function titleOfPath(path: string, namespaces: Namespaces): Title | undefined {
  const name = decodePercent(path.replace(SOURCE_ENDING, ''))
  const slash = name.indexOf('/')
  const [folder, rest] = slash < 0 ? ['', name] : [name.slice(0, slash), name.slice(slash + 1)]
  const text = namespaces.idByName(folder) === undefined ? name : `${folder}:${rest}`
  const parsed = parseTitle(text, namespaces)
  if (!parsed.ok || parsed.fragment !== '') return undefined
  if (parsed.title.namespace !== 0 || !path.endsWith('.lua')) return parsed.title
  const module = parseTitle(`${namespaces.keyPrefix(MODULE)}${name}`, namespaces)
  return module.ok ? module.title : undefined
}

/** Paths below a folder, in order. */
function filesBelow(folder: string, path = ''): string[] {
  const entries = readdirSync(join(folder, path), { withFileTypes: true })
  const names = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return names.flatMap((entry) => {
    if (NO_PAGE.test(entry.name)) return []
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    return entry.isDirectory() ? filesBelow(folder, below) : [below]
  })
}

function pageOf(title: Title, id: number, path: string): FolderPage {
  return {
    id,
    title,
    contentModel: defaultContentModel(title.namespace, title.dbkey),
    read: () => {
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new PagesFolderError(`${path} is not text in UTF-8`, { cause: error })
      }
    },
  }
}
