/** `palimpsest interwiki`: which prefixes of links lead to other wikis. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { type Interwiki, type InterwikiChanges, interwikiFault } from '../domain/interwiki.js'
import { languageName } from '../domain/languageNames.js'
import { describeSystemError, isSystemError } from '../systemErrors.js'
import { readInterwikiList } from './interwiki/readInterwikiList.js'
import { applyChange, CommandError, printTable, withStore } from './storeAccess.js'

interface SetOptions {
  readonly language?: string | false
}
interface ImportOptions {
  readonly only?: boolean
}

export function addInterwikiCommand(program: Command): void {
  const interwiki = program
    .command('interwiki')
    .description('list or change the prefixes of links that lead to other wikis; a running server follows')
  const list = interwiki.command('list', { isDefault: true }).description('print all prefixes, by name')
  addSettings(list, 'interwiki').action(() => listPrefixes(dataDirOf(list)))
  const set = interwiki
    .command('set')
    .description('let a prefix lead to a wiki')
    .argument('<prefix>')
    .argument('<url>', 'address of its pages, with $1 in the place of the title')
    .option('--language <name>', 'own name of a language: links with this prefix are between languages')
    .option('--no-language', 'the prefix is the code of a language, but links with it are like others')
  addSettings(set, 'interwiki').action((prefix: string, url: string, { language }: SetOptions) =>
    change(dataDirOf(set), { only: false, entries: entriesOf([entryFor(prefix, url, language)]) }),
  )
  const remove = interwiki
    .command('remove')
    .description('let prefixes lead nowhere: a colon after them is like any other')
    .argument('<prefix...>')
  addSettings(remove, 'interwiki').action((prefixes: string[]) => removePrefixes(dataDirOf(remove), prefixes))
  const load = interwiki
    .command('import')
    .description(
      "take a list over: a wiki's api.php?action=query&meta=siteinfo&siprop=interwikimap&format=json, or lines with prefix and URL",
    )
    .argument('<file>')
    .option('--only', 'let no other prefix count, neither set ones nor those of the default list')
  addSettings(load, 'interwiki').action((file: string, { only = false }: ImportOptions) =>
    importList(dataDirOf(load), file, only),
  )
}

const dataDirOf = (command: Command): string => readSettings(givenFlags(command)).dataDir

async function listPrefixes(dataDir: string): Promise<void> {
  await withStore(dataDir, (store) =>
    printTable(
      [...store.interwiki().values()].map(({ prefix, url, language = '' }) => [prefix, url, language]),
    ),
  )
}

/** A prefix that is the code of a language is for links between languages unless somebody says otherwise. */
function entryFor(prefix: string, url: string, stated: string | false | undefined): Interwiki {
  const language = stated === false ? undefined : (stated ?? languageName(prefix))
  return { prefix, url, ...(language !== undefined && { language }) }
}

async function removePrefixes(dataDir: string, prefixes: readonly string[]): Promise<void> {
  const known = await withStore(dataDir, (store) => store.interwiki())
  const unknown = prefixes.find((prefix) => !known.has(prefix))
  if (unknown !== undefined) throw new CommandError(`there is no prefix "${unknown}"`)
  await change(dataDir, {
    only: false,
    entries: Object.fromEntries(prefixes.map((prefix) => [prefix, null])),
  })
}

async function importList(dataDir: string, file: string, only: boolean): Promise<void> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (!isSystemError(cause)) throw cause
    throw new CommandError(describeSystemError(cause, file), { cause })
  })
  const entries = entriesOf(readInterwikiList(text))
  await change(dataDir, { only, entries })
}

function entriesOf(list: readonly Interwiki[]): InterwikiChanges['entries'] {
  const entries = new Map<string, Omit<Interwiki, 'prefix'>>()
  for (const { prefix, ...target } of list) {
    const fault = interwikiFault({ prefix, ...target })
    if (fault !== undefined) throw new CommandError(fault)
    entries.set(prefix, target)
  }
  return Object.fromEntries(entries)
}

/** Writes one entry of the log; makes the store when there is none, so that prefixes can be set before an import. */
async function change(dataDir: string, interwiki: InterwikiChanges): Promise<void> {
  await withStore(
    dataDir,
    (store) => {
      applyChange(store, { kind: 'settings', site: {}, interwiki })
      store.reloadSite()
      const count = Object.keys(interwiki.entries).length
      process.stdout.write(`${count} changed, ${store.interwiki().size} in all\n`)
    },
    { create: true },
  )
}
