/** `palimpsest token`: bearer tokens, with which a program acts as an account. */
import { type Command, InvalidArgumentError } from 'commander'
import { newSecret, tokenText } from '../auth/tokens.js'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { isScope, type Scope, SCOPES } from '../domain/account.js'
import { formatTimestamp } from '../domain/timestamp.js'
import { CommandError } from './commandError.js'
import { wholeNumber } from './arguments.js'
import { EXPIRY_HELP, formatExpiry, nowSeconds, parseExpiry } from './expiry.js'
import { addExamples } from './help.js'
import { printTable, type StorePlace, withStore } from './storeAccess.js'
import { requireUser } from './user.js'

interface CreateOptions {
  readonly user: string
  readonly scope: readonly Scope[]
  readonly expires: number | null
  readonly name: string
}

export function addTokenCommand(program: Command): void {
  const token = program
    .command('token')
    .summary('create, list and revoke bearer tokens')
    .description('Create, list and revoke bearer tokens: secrets that let a program act as an account.')
  const create = token
    .command('create')
    .summary('create a token')
    .description('Create a token and print it. The store keeps only its hash, so nobody can print it again.')
    .requiredOption('--user <name>', 'account that programs with this token act as')
    .option('--scope <list>', `what it permits, of ${SCOPES.join(',')}, separated by commas`, parseScopes, [
      ...SCOPES,
    ])
    .option(
      '--expires <when>',
      `end of its life: ${EXPIRY_HELP}`,
      (when) => parseExpiry(when, nowSeconds()),
      null,
    )
    .option('--name <text>', 'note for the list', '')
  addSettings(create, 'token')
  addExamples(create, [
    [
      'for a program that reads, until the end of a year',
      'palimpsest token create --user Ann --scope read --expires 2030-12-31 --name feed',
    ],
  ])
  create.action((options: CreateOptions) => createToken(placeOf(create), options))
  const list = token
    .command('list')
    .summary('list all tokens')
    .description('List all tokens, without their secrets.')
  addSettings(list, 'token').action(() => listAll(placeOf(list)))
  const revoke = token
    .command('revoke')
    .summary('revoke a token')
    .description('Revoke a token. Servers refuse it at once.')
    .argument('<id>', 'number of the token, as "palimpsest token list" prints it', parseTokenId)
  addSettings(revoke, 'token').action((id: number) => revokeToken(placeOf(revoke), id))
}

const placeOf = (command: Command): StorePlace => readSettings(givenFlags(command))

function parseScopes(list: string): Scope[] {
  const scopes = list.split(',').map((scope) => scope.trim())
  if (!scopes.every(isScope)) throw new InvalidArgumentError(`A scope is one of ${SCOPES.join(', ')}.`)
  return SCOPES.filter((scope) => scopes.includes(scope))
}

const parseTokenId = wholeNumber(9)

function createToken(place: StorePlace, { user, scope, expires, name }: CreateOptions): Promise<void> {
  return withStore(place, async (store, apply) => {
    const { secret, secretHash } = newSecret()
    const userId = requireUser(store, user).id
    const change = { userId, secretHash, scopes: scope, expires, name }
    const verdict = await apply({ kind: 'token', action: 'create', ...change })
    if (verdict.result !== 'token') throw new CommandError(`there is no account "${user}"`)
    process.stdout.write(`${tokenText(verdict.tokenId, secret)}\n`)
  })
}

function listAll(place: StorePlace): Promise<void> {
  return withStore(place, (store) => {
    const { accounts } = store
    const rows = accounts
      .listTokens()
      .map(({ id, userId, scopes, created, expires, name }) => [
        String(id),
        accounts.getUser(userId)?.name ?? '',
        scopes.join(','),
        formatTimestamp(created),
        formatExpiry(expires),
        name,
      ])
    printTable([['id', 'user', 'scopes', 'created', 'expires', 'name'], ...rows])
  })
}

function revokeToken(place: StorePlace, tokenId: number): Promise<void> {
  return withStore(place, async (_store, apply) => {
    const { result } = await apply({ kind: 'token', action: 'revoke', tokenId })
    if (result === 'missing')
      throw new CommandError(`there is no token ${tokenId}: "palimpsest token list" lists all`)
    process.stdout.write(`token ${tokenId} is revoked\n`)
  })
}
