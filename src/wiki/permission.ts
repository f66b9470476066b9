/** Tells before a text is sent if a page can be edited. Saving checks everything again. */
import { whyClosed } from '../auth/closedWiki.js'
import type { Identity } from '../auth/identities.js'
import type { AppContext } from '../context.js'
import { defaultContentModel } from '../domain/contentModel.js'
import { PROJECT } from '../domain/namespaceIds.js'
import { Refusal } from '../domain/refusal.js'
import { toSeconds } from '../domain/timestamp.js'
import { prefixedText, type Title } from '../domain/title.js'
import { isKnownContentModel } from '../edit/contentModels.js'
import { foreignTitle, protectedTitle } from '../edit/titleErrors.js'
import { mayPass } from './protection.js'
import { refusalOf } from './saving.js'

/**
 * Why an identity cannot edit or create a page; undefined if it can. The reasons come in the order of the checks of a
 * save: closed wiki, no right to edit (`apierror-permissiondenied`), the title, its protection.
 */
export function whyNoEdit(
  { config, store, clock }: Pick<AppContext, 'config' | 'store' | 'clock'>,
  identity: Identity,
  title: Title,
): Refusal | undefined {
  const namespaces = store.namespaces()
  const closed = whyClosed({ config, store })
  if (closed !== undefined) return closed
  const { editor, anonymous, rights } = identity
  if (!rights.has('edit')) {
    const project = namespaces.nameOf(PROJECT) ?? 'Project'
    return new Refusal('apierror-permissiondenied', [`[[${project}:Users|Users]]`])
  }
  const page = store.getPage(title.namespace, title.dbkey)
  const exists = page !== undefined
  const latest = page && store.getRevision(page.latestId)
  const foreign = exists ? undefined : foreignTitle(prefixedText(title, namespaces), title, store.interwiki())
  if (foreign !== undefined) return refusalOf(foreign)
  const protection = store.getProtection(title, toSeconds(clock.nowMs()))
  if (!mayPass(identity, protection, exists)) return new Refusal('protectedpagetext')
  const model = latest?.contentModel ?? defaultContentModel(title.namespace, title.dbkey)
  if (!isKnownContentModel(model)) return new Refusal('rest-bad-content-model', [model])
  const reserved = protectedTitle(title, model, { name: editor.name, anonymous, rights })
  return reserved && refusalOf(reserved)
}
