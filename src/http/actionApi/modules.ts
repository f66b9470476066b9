/** All modules of `action=`. */
import { clientLogin, createAccount, login, logout } from './actions/account.js'
import { compare } from './actions/compare.js'
import { remove, undelete } from './actions/delete.js'
import { edit } from './actions/edit.js'
import { expandTemplates } from './actions/expandtemplates.js'
import { move } from './actions/move.js'
import { openSearch } from './actions/opensearch.js'
import { parse } from './actions/parse.js'
import { paramInfoOf } from './actions/paraminfo.js'
import { protect } from './actions/protect.js'
import { rollback } from './actions/rollback.js'
import { upload } from './actions/upload.js'
import type { ActionModule } from './frame/call.js'
import { MAIN_PARAMETERS } from './mainParameters.js'
import { query } from './query/query.js'

export const ACTIONS: readonly ActionModule[] = [
  query,
  openSearch,
  parse,
  compare,
  expandTemplates,
  edit,
  rollback,
  move,
  remove,
  undelete,
  protect,
  upload,
  login,
  clientLogin,
  logout,
  createAccount,
  paramInfoOf(() => ACTIONS, MAIN_PARAMETERS),
]

/** Actions of MediaWiki that change something, and that this server lacks. */
export const MISSING_WRITES: ReadonlySet<string> = new Set(
  'block changecontentmodel emailuser filerevert import managetags mergehistory patrol purge revisiondelete setpagelanguage tag unblock userrights watch'.split(
    ' ',
  ),
)
