/** `action=createaccount`, on wikis where anyone may create an account. */
import { whyClosed } from '../../auth/closedWiki.js'
import type { CreationOutcome } from '../../auth/accounts.js'
import { ActionError } from './actionError.js'
import type { ActionCall, ActionResult } from './call.js'
import { requireToken } from './login.js'

const BAD_NAME =
  'The name cannot be used: it looks like an address, has a sign that names cannot have, or is too long.'

export async function createAccount({
  parameters,
  cookie,
  identity,
  request,
  wiki,
  context,
}: ActionCall): Promise<ActionResult> {
  const { config, accounts } = context
  if (!config.createAccounts) {
    throw new ActionError('permissiondenied', 'You do not have permission to create accounts.')
  }
  const closed = whyClosed(context)
  if (closed !== undefined) throw new ActionError('readonly', closed.message)
  requireToken(parameters.requirePosted('createtoken'), cookie.token('createaccount'))
  if (!parameters.get('createreturnurl') && !parameters.get('createcontinue')) {
    const info = 'At least one of the parameters "createcontinue" and "createreturnurl" is required.'
    throw new ActionError('missingparam', info)
  }
  const password = parameters.getPosted('password') ?? ''
  if (password !== (parameters.getPosted('retype') ?? '')) {
    return failed('The passwords you entered do not match.', 'badretype')
  }
  const name = parameters.get('username') ?? ''
  const isLimited = !(identity.rights.has('noratelimit') && identity.hasWriteScope)
  const address = isLimited ? request.clientAddress() : undefined
  const outcome = await accounts.create(wiki, name, password, address)
  if (outcome.result === 'made') return { createaccount: { status: 'PASS', username: outcome.name } }
  if (outcome.result === 'bad-name' && name.trim() !== '') return failed(BAD_NAME, 'invaliduser')
  return failed(...faultOf(outcome))
}

function failed(message: string, messagecode: string): ActionResult {
  return { createaccount: { status: 'FAIL', message, messagecode } }
}

function faultOf(outcome: Exclude<CreationOutcome, { result: 'made' }>): [message: string, code: string] {
  switch (outcome.result) {
    case 'bad-name':
      return ['You have not specified a valid username.', 'noname']
    case 'taken':
      return ['Username entered already in use. Please choose a different name.', 'userexists']
    case 'throttled':
      return [
        'Too many accounts were created from your address; please try again later.',
        'acct_creation_throttle_hit',
      ]
    case 'bad-password':
      return [`The password cannot be used: ${outcome.fault}.`, 'passwordinvalid']
  }
}
