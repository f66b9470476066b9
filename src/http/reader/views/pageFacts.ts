/** `?action=info` and `Special:CiteThisPage/{title}`: facts of a page, and how to name its present version. */
import { prefixedKey, prefixedText } from '../../../domain/title.js'
import { html } from '../../../reader/html.js'
import { text, word, wordOf } from '../../../reader/messages.js'
import { timeElement } from '../../../reader/parts/time.js'
import { citations, type Fact, pageFacts } from '../../../reader/views/pageFacts.js'
import { userLinks } from '../../../reader/views/revision.js'
import { targetForm } from '../../../reader/views/whatLinksHere.js'
import { requirePage } from '../../views/lookup.js'
import { pageReply, problemPage } from '../pageReply.js'
import { shownName, shownTitle } from '../variants.js'
import type { VisitHandler } from '../visit.js'
import { shownRevision } from './shownRevision.js'
import { pageShell, sharedReply, specialShell } from './viewReply.js'
import { askedTitle } from './whatLinksHere.js'

export const showPageInfo: VisitHandler = (visit, context) => {
  const { key, links, title, site } = visit
  const { pageId, latestId } = requirePage(context.pages, visit).page
  const redirect = context.store.getPageById(pageId)?.redirectTarget
  const row = context.store.getRevision(latestId)
  const latest = row && shownRevision(row, key, visit)
  const permanent = links.revision(key, latestId)
  const facts: readonly Fact[] = [
    ['info-title', html`<a href="${links.page(key, { redirect: 'no' })}">${shownTitle(title, visit)}</a>`],
    ['info-id', pageId],
    ...(latest?.sizeBytes === undefined
      ? []
      : [['info-size', text('size-bytes', site.formats.number(latest.sizeBytes))] as const]),
    ...(redirect === undefined
      ? []
      : [['info-redirect', shownName(redirect.replaceAll('_', ' '), visit)] as const]),
    ...(latest === undefined
      ? []
      : [
          [
            'info-latest',
            html`${timeElement(latest.timestamp, site.formats)} (<a href="${links.comparison(key, 'prev', latestId)}"
                >${word(site, 'link-diff')}</a
              >)`,
          ] as const,
          ['info-by', userLinks(latest.user, site)] as const,
        ]),
    ['info-permanent', html`<a href="${permanent}">${permanent}</a>`],
  ]
  const shell = pageShell(visit, context, {
    path: links.action(key, 'info'),
    selected: 'info',
    message: 'info-heading',
  })
  return sharedReply(visit, shell, [pageFacts(facts)])
}

export const showCitation: VisitHandler = (visit, { pages }) => {
  const { links, namespaces, site } = visit
  const path = links.special('CiteThisPage')
  const { typed, title } = askedTitle(visit)
  if (typed === '') {
    const form = targetForm(path, { label: text('tool-page'), value: '' })
    return pageReply(specialShell(visit, wordOf(site, 'tool-cite'), path), form)
  }
  if (title === undefined) return problemPage(site, 400, text('bad-title', typed))
  const name = prefixedText(title, namespaces)
  const page = pages.find(title)
  if (page === undefined) return problemPage(site, 404, text('missing-page', name))
  const key = prefixedKey(title, namespaces)
  const shown = shownName(name, visit)
  const content = citations({
    title: shown,
    wiki: site.name,
    time: site.formats.time(page.latestTimestamp),
    year: new Date(page.latestTimestamp * 1000).getUTCFullYear(),
    url: site.origin + links.revision(key, page.latestId),
    revisionId: page.latestId,
  })
  const own = links.special('CiteThisPage', {}, key)
  return sharedReply(visit, specialShell(visit, text('cite-heading', shown), own), [content])
}
