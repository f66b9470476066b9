/** The article: the latest HTML of a page in the shell. */
import { prefixedText } from '../../domain/title.js'
import { trusted } from '../../reader/html.js'
import { pageLink } from '../../reader/links.js'
import { pageTabs } from '../../reader/tabs.js'
import { packedParts, unpackParts } from '../../storage/packedHtml.js'
import { HttpError } from '../reply/errors.js'
import { requireRenderings } from '../views/html.js'
import { BRIEF, pageReply } from './pageReply.js'
import type { VisitHandler } from './visit.js'

export const viewPage: VisitHandler = async (visit, context) => {
  const { title, key, site, namespaces } = visit
  const renderings = requireRenderings(context)
  const page = context.pages.find(title)
  if (page === undefined) throw new HttpError('rest-nonexistent-title', [visit.asked])
  if (page.textHidden) throw new HttpError('rest-source-hidden', [visit.asked])
  const { latestId, latestTimestamp } = page
  const { packedHtml } = renderings.find(latestId) ?? (await renderings.make(latestId))
  const [, inside] = packedParts(packedHtml)
  const body = unpackParts([inside!]).toString()
  const name = prefixedText(title, namespaces)
  const tabs = pageTabs(
    { title, selected: 'read', exists: true, otherExists: true, allowsEdits: site.allowsEdits },
    namespaces,
  )
  const view = { site, title: name, path: pageLink(key), isListed: true, tabs, lastChanged: latestTimestamp }
  return pageReply(view, trusted(body), { headers: BRIEF })
}
