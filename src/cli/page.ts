/** `palimpsest page`: protects pages against edits and creation. */
import { type Command, Option } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { type Protection, PROTECTION_LEVELS, UNPROTECTED } from '../domain/protection.js'
import { prefixedText } from '../domain/title.js'
import { EXPIRY_HELP, formatExpiry, nowSeconds, parseExpiry } from './expiry.js'
import { addExamples } from './help.js'
import { requireTitle, type StorePlace, withStore } from './storeAccess.js'

interface ProtectOptions extends Partial<Protection> {
  readonly expires?: number | null
}

export function addPageCommand(program: Command): void {
  const page = program
    .command('page')
    .summary('protect pages')
    .description('Protect titles, so that only some groups may edit or create their pages.')
  const protect = page
    .command('protect')
    .summary('set who may edit or create a page')
    .description(
      'Set who may edit a page, or create one where there is none. Flags that you leave out change nothing.',
    )
    .argument('<title>', 'title of the page, with its prefix')
    .addOption(levelOption('--edit <group>', 'group that may edit the page'))
    .addOption(levelOption('--create <group>', 'group that may create the page'))
    .option('--expires <when>', `end of the protection: ${EXPIRY_HELP}`, (when) =>
      parseExpiry(when, nowSeconds()),
    )
  addSettings(protect, 'page')
  addExamples(protect, [
    ['the main page, for half a day', "palimpsest page protect 'Main Page' --edit sysop --expires 12h"],
  ])
  protect.action((title: string, { edit, create, expires }: ProtectOptions) => {
    if (edit === undefined && create === undefined) {
      return protect.error('error: name --edit, --create or both')
    }
    const given = { ...(edit && { edit }), ...(create && { create }) }
    return setProtection(placeOf(protect), title, given, expires)
  })
  const unprotect = page
    .command('unprotect')
    .summary('remove the protection of a page')
    .description('Remove the protection of a page.')
    .argument('<title>', 'title of the page, with its prefix')
  addSettings(unprotect, 'page').action((title: string) =>
    setProtection(placeOf(unprotect), title, UNPROTECTED, null),
  )
}

const levelOption = (flags: string, help: string): Option =>
  new Option(flags, `${help}; none means everybody who may edit`).choices(PROTECTION_LEVELS)

const placeOf = (command: Command): StorePlace => readSettings(givenFlags(command))

function setProtection(
  place: StorePlace,
  asked: string,
  given: Partial<Protection>,
  givenExpiry: number | null | undefined,
): Promise<void> {
  return withStore(place, async (store, apply) => {
    const title = requireTitle(store, asked)
    const { namespace, dbkey } = title
    const before = store.mirror.ownProtection(title, nowSeconds())
    const { edit, create } = { ...before, ...given }
    const expires = givenExpiry === undefined ? before.expires : givenExpiry
    await apply({ kind: 'protect', namespace, dbkey, edit, create, expires })
    const name = prefixedText(title, store.namespaces())
    process.stdout.write(`${name}: edit ${edit}, create ${create}, expires ${formatExpiry(expires)}\n`)
  })
}
