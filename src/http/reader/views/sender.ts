/** The reader who sends a request to edit or to log in, with the session that ties forms to the browser. */
import type { Identity } from '../../../auth/identities.js'
import { isSameToken } from '../../../auth/sessions.js'
import { userMenu } from '../../../reader/views/edit.js'
import type { ReaderSite } from '../../../reader/site.js'
import type { Fragment } from '../../../reader/html.js'
import { credentialsOf, SessionCookie } from '../../request/credentials.js'
import type { HttpContext } from '../../routing/route.js'
import type { Visit } from '../visit.js'

export interface Sender {
  readonly identity: Identity
  readonly cookie: SessionCookie
}

/** Reads everything that it needs of the request before it waits. */
export async function senderOf({ request, wiki }: Visit, { identities }: HttpContext): Promise<Sender> {
  const cookie = new SessionCookie(request, wiki)
  const identity = await identities.identify(credentialsOf(request, wiki), wiki.namespaces)
  return { identity, cookie }
}

/**
 * Whether a form has the token of this session. Readers who are not logged in have a session too, so that a page of
 * another site cannot make their browser edit.
 */
export const hasToken = ({ cookie }: Sender, purpose: string, given: string | undefined): boolean =>
  cookie.sent !== undefined && given !== undefined && isSameToken(given, cookie.token(purpose))

/** Name and links for the header of pages that only this reader gets. */
export const menuOf = (
  { identity }: Pick<Sender, 'identity'>,
  key: string,
  site: Pick<ReaderSite, 'links' | 'words' | 'language'>,
): Fragment => userMenu(identity.anonymous ? undefined : identity.editor.name, key, site)
