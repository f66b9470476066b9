/** `palimpsest user`: manages accounts. */
import { text } from 'node:stream/consumers'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { type Config, addSettings, givenFlags, readSettings } from '../config/config.js'
import { type Group, GROUPS, isGroup, userName } from '../domain/account.js'
import { formatTimestamp } from '../domain/timestamp.js'
import type { User } from '../storage/accounts/accounts.js'
import type { Store } from '../storage/store.js'
import { CommandError } from './commandError.js'
import { addExamples } from './help.js'
import { type ApplyChange, printTable, type StorePlace, withStore } from './storeAccess.js'

export function addUserCommand(program: Command): void {
  const user = program
    .command('user')
    .summary('create and list accounts, set passwords and groups')
    .description('Create and list accounts, and set their passwords and groups.')
  addCreateCommand(user)
  addListCommand(user)
  addPasswordCommand(user)
  addGroupsCommand(user)
}

function addCreateCommand(user: Command): void {
  const create = user
    .command('create')
    .summary('create an account')
    .description('Create an account. One without a password can be used with tokens only.')
    .argument('<name>', 'name of the account')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .addOption(groupOption())
  addSettings(create, 'user')
  addExamples(create, [
    [
      'an administrator with a password',
      'palimpsest user create Ann --group sysop --password-stdin < password.txt',
    ],
  ])
  create.action((name: string, options: { passwordStdin?: true; group: Group[] }) =>
    createUser(settings(create), name, options.passwordStdin ?? false, options.group),
  )
}

function addListCommand(user: Command): void {
  const list = user
    .command('list')
    .summary('list all accounts')
    .description('List all accounts with their groups.')
  addSettings(list, 'user').action(() => listAccounts(settings(list)))
}

function addPasswordCommand(user: Command): void {
  const password = user
    .command('password')
    .summary('set or remove a password')
    .description('Set the password of an account to the first line of standard input. All its sessions end.')
    .argument('<name>', 'name of the account')
    .option('--remove', 'remove the password, so that nobody can log in with one')
  addSettings(password, 'user').action((name: string, { remove }: { remove?: true }) =>
    setPassword(settings(password), name, remove ?? false),
  )
}

function addGroupsCommand(user: Command): void {
  const groups = user
    .command('groups')
    .summary('set the groups of an account')
    .description('Set the groups of an account. Without a group, the account leaves all of them.')
    .argument('<name>', 'name of the account')
    .addArgument(groupArgument())
  addSettings(groups, 'user').action((name: string, wanted: Group[]) =>
    setGroups(settings(groups), name, wanted),
  )
}

/** `choices` serves help and completion; `collectGroup` rejects unknown names itself. */
function groupOption(): Option {
  const option = new Option('--group <group...>', 'groups to put the account into').choices([...GROUPS])
  return option.argParser(collectGroup).default([], 'none')
}

function groupArgument(): Argument {
  const argument = new Argument('[groups...]', 'all groups that the account is to be in').choices([...GROUPS])
  return argument.argParser(collectGroup).default([], 'none')
}

const settings = (command: Command): Config => readSettings(givenFlags(command))

function collectGroup(group: string, others: readonly Group[]): Group[] {
  if (!isGroup(group)) throw new InvalidArgumentError(`There is no such group. Groups: ${GROUPS.join(', ')}.`)
  return [...new Set([...others, group])].sort()
}

/** Creates a missing store, so that a wiki can begin empty. */
async function createUser(
  place: Config,
  asked: string,
  hasPassword: boolean,
  groups: readonly Group[],
): Promise<void> {
  const passwordHash = hasPassword ? await hashPasswordOfInput(place.passwordMinLength) : null
  const create = async (store: Store, apply: ApplyChange): Promise<void> => {
    const name = userName(asked, store.namespaces())
    if (name === undefined) throw new CommandError(`"${asked}" is not a valid name for an account`)
    const verdict = await apply({ kind: 'user', action: 'create', name, passwordHash, groups })
    if (verdict.result !== 'account')
      throw new CommandError(
        `the account ${name} exists already: "palimpsest user password" and "palimpsest user groups" change it`,
      )
    process.stdout.write(`user ${verdict.userId}: ${name}\n`)
  }
  await withStore(place, create, { create: true })
}

function listAccounts(place: StorePlace): Promise<void> {
  return withStore(place, (store) => {
    const rows = store.accounts
      .listUsers()
      .map(({ id, name, groups, passwordHash, registered }) => [
        String(id),
        name,
        groups.join(' '),
        passwordHash === null ? 'no' : 'yes',
        formatTimestamp(registered),
      ])
    printTable([['id', 'name', 'groups', 'password', 'registered'], ...rows])
  })
}

async function setPassword(place: Config, asked: string, remove: boolean): Promise<void> {
  const passwordHash = remove ? null : await hashPasswordOfInput(place.passwordMinLength)
  await withStore(place, async (store, apply) => {
    const { id, name } = requireUser(store, asked)
    await apply({ kind: 'user', action: 'password', userId: id, passwordHash })
    process.stdout.write(`user ${id}: ${name} ${remove ? 'has no password' : 'has a new password'}\n`)
  })
}

function setGroups(place: StorePlace, asked: string, groups: readonly Group[]): Promise<void> {
  return withStore(place, async (store, apply) => {
    const { id, name } = requireUser(store, asked)
    await apply({ kind: 'user', action: 'groups', userId: id, groups })
    process.stdout.write(
      `user ${id}: ${name} is in ${groups.length === 0 ? 'no group' : groups.join(', ')}\n`,
    )
  })
}

/** Finds the account of a name on the command line. Throws a CommandError. */
export function requireUser(store: Store, asked: string): User {
  const name = userName(asked, store.namespaces())
  const user = name === undefined ? undefined : store.accounts.getUserByName(name)
  if (user === undefined)
    throw new CommandError(`there is no account "${asked}": "palimpsest user list" lists all`)
  return user
}

async function hashPasswordOfInput(minLength: number): Promise<string> {
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/, 1)
  const { passwordFault, Passwords } = await import('../auth/passwords.js')
  const fault = passwordFault(password, minLength)
  if (fault !== undefined) throw new CommandError(fault)
  return new Passwords().hash(password)
}
