/** Reasons to refuse the move or deletion of a page, or an upload: MediaWiki's codes and English texts. */
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
  nonfilenamespace: 'Cannot move file to non-file namespace.',
  filetypemismatch: 'The new file extension does not match its type.',
  cantmovefile: 'You do not have permission to move files.',
  'filemove-elsewhere': 'The contents of the file are not on this server, so it cannot be moved.',
  cannotdelete:
    'The page or file cannot be deleted: an imported table names the file, whose contents are not on this server.',
  missingcontent: 'The text of the page is hidden, so it cannot be changed in this way.',
  'empty-file': 'The file you submitted was empty.',
  'illegal-filename': 'The filename is not allowed.',
  'filetype-missing': 'The filename is missing an extension.',
  'filename-tooshort': 'The filename is too short.',
  'filename-toolong': 'Filenames may not be longer than 240 bytes.',
  'filetype-mime-mismatch': 'File extension ".$1" does not match the detected MIME type of the file ($2).',
  'filetype-banned': 'This type of file is banned.',
  'verification-error': 'This file did not pass file verification: it $1.',
  'fileexists-no-change': 'The upload is an exact duplicate of the current version of [[:$1]].',
  importing: 'An import is running: upload the file again later.',
  cantundelete:
    "Couldn't undelete: the requested revisions may not exist, or may have been undeleted already.",
  'create-titleexists': 'Existing titles can\'t be protected with "create".',
  'missingtitle-createonly': 'Missing titles can only be protected with "create".',
  readonly: 'The machines of this wiki do not all know this action: run "palimpsest cluster upgrade".',
} as const satisfies Record<string, string>

export class PageRefusal extends Error {
  override readonly name = 'PageRefusal'
  readonly code: keyof typeof PAGE_REFUSALS
  /** What a program may want to know. */
  readonly data: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: keyof typeof PAGE_REFUSALS,
    {
      args = [],
      data,
    }: { readonly args?: readonly MessageArgument[]; readonly data?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(fillMessage(PAGE_REFUSALS[code], args))
    this.code = code
    this.data = data
  }
}

/** Throws a PageRefusal while a machine of the cluster may not know the entries. */
export function requireKnownActions({ log }: Pick<Store, 'log'>): void {
  const { version = PAGE_ACTIONS_VERSION } = log.membership() ?? {}
  if (version < PAGE_ACTIONS_VERSION) throw new PageRefusal('readonly')
}
