/** Reasons to refuse the move or deletion of a page: MediaWiki's codes and English texts. */
import { fillMessage, type MessageArgument } from '../domain/refusal.js'
import { PAGE_ACTIONS_VERSION } from '../storage/apply/entryKinds.js'
import type { Store } from '../storage/store.js'

const PAGE_REFUSALS = {
  missingtitle: "The page you specified doesn't exist.",
  selfmove: 'The title is the same; cannot move a page over itself.',
  articleexists:
    'A page already exists at [[:$1]], or the page name you have chosen is not valid. Please choose another name.',
  redirectexists:
    'A redirect already exists at [[:$1]], and it cannot be deleted automatically. Please choose another name.',
  'nonfile-cannot-move-to-file': 'Cannot move non-file to file namespace.',
  cantmovefile: 'This server does not move files.',
  cannotdelete: 'This server does not delete files: its operator can, by "palimpsest files remove".',
  missingcontent: 'The text of the page is hidden, so it cannot be moved.',
  cantundelete:
    "Couldn't undelete: the requested revisions may not exist, or may have been undeleted already.",
  'create-titleexists': 'Existing titles can\'t be protected with "create".',
  'missingtitle-createonly': 'Missing titles can only be protected with "create".',
  readonly: 'The machines of this wiki do not all know this action: run "palimpsest cluster upgrade".',
} as const satisfies Record<string, string>

export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly code: keyof typeof PAGE_REFUSALS

  constructor(code: keyof typeof PAGE_REFUSALS, args: readonly MessageArgument[] = []) {
    super(fillMessage(PAGE_REFUSALS[code], args))
    this.code = code
  }
}

/** Throws a PageRefusal while a machine of the cluster may not know the entries. */
export function requireKnownActions({ log }: Pick<Store, 'log'>): void {
  const { version = PAGE_ACTIONS_VERSION } = log.membership() ?? {}
  if (version < PAGE_ACTIONS_VERSION) throw new PageRefusal('readonly')
}
