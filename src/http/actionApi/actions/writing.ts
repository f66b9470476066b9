/** What actions that change pages have in common: their page, their sender, and how they word refusals. */
import type { Identity } from '../../../auth/identities.js'
import { PROJECT } from '../../../domain/namespaceIds.js'
import { Refusal } from '../../../domain/refusal.js'
import type { Right } from '../../../domain/rights.js'
import { parseTitle, type Title } from '../../../domain/title.js'
import { PageRefusal } from '../../../wiki/pageRefusal.js'
import { credentialsOf } from '../../request/credentials.js'
import type { ActionCall } from '../frame/call.js'
import { ActionError, invalidTitle, noSuchPage, requireOneOf } from '../frame/problems.js'

/** The page of `title` or `pageid`, which need not exist. `names` are those of the parameters. */
export function titleOf(
  call: ActionCall,
  given: string | undefined,
  pageId: number | undefined,
  names: readonly [title: string, id: string] = ['title', 'pageid'],
): Title {
  requireOneOf({ [names[0]]: given, [names[1]]: pageId })
  if (pageId !== undefined) {
    const page = call.context.store.getPageById(pageId)
    if (page === undefined) throw noSuchPage(pageId)
    return { namespace: page.namespace, dbkey: page.dbkey }
  }
  const title = localTitle(call, given ?? '')
  if (title.namespace < 0) throw new ActionError('pagecannotexist', "Namespace doesn't allow actual pages.")
  return title
}

/** Throws an invalidtitle, also for titles of other wikis. */
export function localTitle({ wiki, context }: ActionCall, given: string): Title {
  const interwiki = context.store.interwiki()
  const parsed = parseTitle(given, wiki.namespaces, (prefix) => interwiki.has(prefix))
  if (!parsed.ok) throw invalidTitle(given)
  return parsed.title
}

/** The sender, who may edit and has the right. The token of the request was compared before. */
export async function requireWriter(call: ActionCall, right?: Right): Promise<Identity> {
  const { context, wiki, request } = call
  const { csrfToken } = call.identity
  const credentials = credentialsOf(request, wiki)
  const identity = await context.identities.requireWriter(credentials, wiki.namespaces, csrfToken)
  if (right !== undefined && !identity.rights.has(right)) throw limitedToAdministrators(call)
  return identity
}

function limitedToAdministrators({ wiki }: ActionCall): Refusal {
  const project = wiki.namespaces.nameOf(PROJECT) ?? 'Project'
  return new Refusal('apierror-permissiondenied', [`[[${project}:Administrators|Administrators]]`])
}

export const missingTitle = (): ActionError =>
  new ActionError('missingtitle', "The page you specified doesn't exist.")

const CODES: Readonly<Record<string, string>> = {
  protectedpagetext: 'protectedpage',
  actionthrottledtext: 'ratelimited',
  'rest-wiki-is-mirror': 'readonly',
  'rest-missing-token': 'missingparam',
  'filemove-elsewhere': 'cantmovefile',
  importing: 'readonly',
  'filetype-mime-mismatch': 'verification-error',
}

/** Runs a change. Its refusals become errors with MediaWiki's codes. */
export async function refusing<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof PageRefusal)
      throw new ActionError(CODES[error.code] ?? error.code, error.message, error.data ?? {})
    throw error instanceof Refusal ? refused(error) : error
  }
}

const refused = ({ key, message }: Refusal): ActionError =>
  new ActionError(CODES[key] ?? key.replace(/^(?:apierror|rest)-/, ''), message)
