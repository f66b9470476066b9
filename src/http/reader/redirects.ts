/** Redirect pages: one step, to a page of this wiki that exists. */
import { parseTitle, type Title } from '../../domain/title.js'
import type { HttpContext } from '../routing/route.js'
import type { Visit } from './visit.js'

export interface Followed {
  readonly target: Title
  /** Id of a section of the target; empty if the redirect names none. */
  readonly section: string
}

/** Undefined for a page that leads elsewhere, which is shown as it is. */
export function followRedirect(
  pageId: number,
  { namespaces }: Visit,
  { store, pages }: HttpContext,
): Followed | undefined {
  const link = store.getPageById(pageId)?.redirectTarget
  const parsed = link === undefined ? undefined : parseTitle(link, namespaces)
  if (parsed?.ok !== true || pages.find(parsed.title) === undefined) return undefined
  return { target: parsed.title, section: parsed.fragment.replaceAll(' ', '_') }
}
