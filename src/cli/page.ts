/** `palimpsest page`: who may edit a page, or create a missing one. */
import { type Command, Option } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { type Protection, PROTECTION_LEVELS, UNPROTECTED } from '../domain/protection.js'
import { prefixedText } from '../domain/title.js'
import { EXPIRY_HELP, formatExpiry, parseExpiry } from './expiry.js'
import { applyChange, nowSeconds, requireTitle, withStore } from './storeAccess.js'

interface ProtectOptions extends Partial<Protection> {
  readonly expires?: number | null
}

export function addPageCommand(program: Command): void {
  const page = program.command('page').description('protect titles against being edited or created')
  const protect = page
    .command('protect')
    .description('say who may edit a page or create it; what is not named stays as it is')
    .argument('<title>')
    .addOption(levelOption('--edit <group>', 'who may edit the page'))
    .addOption(levelOption('--create <group>', 'who may create the page where there is none'))
    .option('--expires <when>', EXPIRY_HELP, (when) => parseExpiry(when, nowSeconds()))
  addSettings(protect, 'page').action((title: string, { edit, create, expires }: ProtectOptions) => {
    if (edit === undefined && create === undefined) {
      return protect.error('error: say --edit or --create or both (add --help for the flags)')
    }
    const given = { ...(edit && { edit }), ...(create && { create }) }
    return setProtection(dataDirOf(protect), title, given, expires)
  })
  const unprotect = page.command('unprotect').description('let everyone edit who may').argument('<title>')
  addSettings(unprotect, 'page').action((title: string) =>
    setProtection(dataDirOf(unprotect), title, UNPROTECTED, null),
  )
}

const levelOption = (flags: string, help: string): Option =>
  new Option(flags, `${help}; none: whoever may edit`).choices(PROTECTION_LEVELS)

const dataDirOf = (command: Command): string => readSettings(givenFlags(command)).dataDir

function setProtection(
  dataDir: string,
  asked: string,
  given: Partial<Protection>,
  givenExpiry: number | null | undefined,
): Promise<void> {
  return withStore(dataDir, (store) => {
    const title = requireTitle(store, asked)
    const { namespace, dbkey } = title
    const before = store.getProtection(title, nowSeconds())
    const { edit, create } = { ...before, ...given }
    const expires = givenExpiry === undefined ? before.expires : givenExpiry
    applyChange(store, { kind: 'protect', namespace, dbkey, edit, create, expires })
    const name = prefixedText(title, store.namespaces())
    process.stdout.write(`${name}: edit ${edit}, create ${create}, expires ${formatExpiry(expires)}\n`)
  })
}
