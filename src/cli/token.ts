/** `palimpsest token`: secrets that let a program act as an account. */
import { type Command, InvalidArgumentError } from 'commander'
import { newSecret, tokenText } from '../auth/tokens.js'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { isScope, type Scope, SCOPES } from '../domain/account.js'
import { formatTimestamp } from '../domain/timestamp.js'
import { EXPIRY_HELP, formatExpiry, parseExpiry } from './expiry.js'
import { applyChange, CommandError, nowSeconds, printTable, withStore } from './storeAccess.js'
import { requireUser } from './user.js'

interface CreateOptions {
  readonly user: string
  readonly scope: readonly Scope[]
  readonly expires: number | null
  readonly name: string
}

export function addTokenCommand(program: Command): void {
  const token = program.command('token').description('make bearer tokens, list them, revoke them')
  const create = token
    .command('create')
    .description('print a new token: the store keeps only its hash, so it is shown this once')
    .requiredOption('--user <name>', 'account that it acts as')
    .option('--scope <scopes>', `what it is good for, of ${SCOPES.join(',')}`, parseScopes, [...SCOPES])
    .option('--expires <when>', EXPIRY_HELP, (when) => parseExpiry(when, nowSeconds()), null)
    .option('--name <text>', 'what it is for', '')
  addSettings(create, 'token').action((options: CreateOptions) => createToken(dataDirOf(create), options))
  const list = token.command('list').description('print all tokens, without their secrets')
  addSettings(list, 'token').action(() => listAll(dataDirOf(list)))
  const revoke = token
    .command('revoke')
    .description('make a token useless at once')
    .argument('<id>', 'its number in the list', parseTokenId)
  addSettings(revoke, 'token').action((id: number) => revokeToken(dataDirOf(revoke), id))
}

const dataDirOf = (command: Command): string => readSettings(givenFlags(command)).dataDir

function parseScopes(list: string): Scope[] {
  const scopes = list.split(',').map((scope) => scope.trim())
  if (!scopes.every(isScope)) throw new InvalidArgumentError(`A scope is one of ${SCOPES.join(', ')}.`)
  return SCOPES.filter((scope) => scopes.includes(scope))
}

function parseTokenId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function createToken(dataDir: string, { user, scope, expires, name }: CreateOptions): Promise<void> {
  return withStore(dataDir, (store) => {
    const { secret, secretHash } = newSecret()
    const userId = requireUser(store, user).id
    const change = { userId, secretHash, scopes: scope, expires, name }
    const verdict = applyChange(store, { kind: 'token', action: 'create', ...change })
    if (verdict.result !== 'token') throw new CommandError(`there is no account "${user}"`)
    process.stdout.write(`${tokenText(verdict.tokenId, secret)}\n`)
  })
}

function listAll(dataDir: string): Promise<void> {
  return withStore(dataDir, (store) => {
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

function revokeToken(dataDir: string, tokenId: number): Promise<void> {
  return withStore(dataDir, (store) => {
    const { result } = applyChange(store, { kind: 'token', action: 'revoke', tokenId })
    if (result === 'missing') throw new CommandError(`there is no token ${tokenId}`)
    process.stdout.write(`token ${tokenId} is revoked\n`)
  })
}
