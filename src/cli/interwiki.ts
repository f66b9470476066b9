/** `palimpsest interwiki`: prefixes of links to other wikis. */
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import { type Interwiki, type InterwikiChanges, interwikiFault } from '../domain/interwiki.js'
import { languageName } from '../domain/languageNames.js'
import { describeSystemError, isSystemError } from '../runtime/systemErrors.js'
import { CommandError } from './commandError.js'
import { printTable, type StorePlace, withStore } from './storeAccess.js'

interface SetOptions {
  readonly language?: string | false
}
interface ImportOptions {
  readonly only?: boolean
}

export function addInterwikiCommand(program: Command): void {
  const interwiki = program
    .command('interwiki')
    .summary('list or change prefixes of links to other wikis')
    .description(
      'List or change the prefixes of links that lead to other wikis. A running server follows within a second.',
    )
  addListCommand(interwiki)
  addSetCommand(interwiki)
  addRemoveCommand(interwiki)
  addImportCommand(interwiki)
}

function addListCommand(interwiki: Command): void {
  const list = interwiki
    .command('list', { isDefault: true })
    .summary('list all prefixes')
    .description('List all prefixes by name, with their URLs and languages.')
  addSettings(list, 'interwiki').action(() => listPrefixes(placeOf(list)))
}

function addSetCommand(interwiki: Command): void {
  const set = interwiki
    .command('set')
    .summary('add or change a prefix')
    .description('Add a prefix that leads to a wiki, or change it.')
    .argument('<prefix>', 'prefix of links, such as fr')
    .argument('<url>', 'URL of the pages of that wiki, with $1 in the place of the title')
    .option(
      '--language <name>',
      'make links with this prefix language links; the name of the language in itself',
    )
    .option('--no-language', 'make them ordinary links, though the prefix is the code of a language')
  addSettings(set, 'interwiki').action((prefix: string, url: string, { language }: SetOptions) =>
    change(placeOf(set), { only: false, entries: entriesOf([entryFor(prefix, url, language)]) }),
  )
}

function addRemoveCommand(interwiki: Command): void {
  const remove = interwiki
    .command('remove')
    .summary('remove prefixes')
    .description('Remove prefixes. In links, a removed prefix is a part of the title.')
    .argument('<prefix...>', 'prefixes, as "palimpsest interwiki list" prints them')
  addSettings(remove, 'interwiki').action((prefixes: string[]) => removePrefixes(placeOf(remove), prefixes))
}

function addImportCommand(interwiki: Command): void {
  const load = interwiki
    .command('import')
    .summary('read prefixes from a file')
    .description(
      'Read prefixes from a file: lines with a prefix and a URL, or the answer of another wiki to\n' +
        'api.php?action=query&meta=siteinfo&siprop=interwikimap&format=json',
    )
    .argument('<file>', 'file with the list')
    .option('--only', 'remove all other prefixes, those of the default list too')
  addSettings(load, 'interwiki').action((file: string, { only = false }: ImportOptions) =>
    importList(placeOf(load), file, only),
  )
}

const placeOf = (command: Command): StorePlace => readSettings(givenFlags(command))

async function listPrefixes(place: StorePlace): Promise<void> {
  await withStore(place, (store) =>
    printTable(
      [...store.interwiki().values()].map(({ prefix, url, language = '' }) => [prefix, url, language]),
    ),
  )
}

/** A prefix that is a language code makes language links by default. */
function entryFor(prefix: string, url: string, stated: string | false | undefined): Interwiki {
  const language = stated === false ? undefined : (stated ?? languageName(prefix))
  return { prefix, url, ...(language !== undefined && { language }) }
}

async function removePrefixes(place: StorePlace, prefixes: readonly string[]): Promise<void> {
  const known = await withStore(place, (store) => store.interwiki())
  const unknown = prefixes.find((prefix) => !known.has(prefix))
  if (unknown !== undefined)
    throw new CommandError(
      `there is no prefix "${unknown}", and nothing was removed: "palimpsest interwiki list" lists all`,
    )
  await change(place, {
    only: false,
    entries: Object.fromEntries(prefixes.map((prefix) => [prefix, null])),
  })
}

async function importList(place: StorePlace, file: string, only: boolean): Promise<void> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (!isSystemError(cause)) throw cause
    throw new CommandError(describeSystemError(cause, file), { cause })
  })
  const entries = entriesOf(readInterwikiList(text))
  await change(place, { only, entries })
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

/** Writes one entry of the log. Creates a missing store, so that prefixes can be set before an import. */
async function change(place: StorePlace, interwiki: InterwikiChanges): Promise<void> {
  await withStore(
    place,
    async (store, apply) => {
      await apply({ kind: 'settings', site: {}, interwiki })
      store.reloadSite()
      const count = Object.keys(interwiki.entries).length
      process.stdout.write(`${count} changed, ${store.interwiki().size} in all\n`)
    },
    { create: true },
  )
}

/**
 * Reads a wiki's siteinfo answer (`query.interwikimap`, in both format versions), or lines of prefix, URL and
 * optionally a language's own name. Ignores blank lines and lines that begin with `#`. Throws a CommandError that names
 * the unreadable part.
 */
function readInterwikiList(text: string): Interwiki[] {
  return text.trimStart().startsWith('{') ? readSiteinfo(text) : readLines(text)
}

function readSiteinfo(text: string): Interwiki[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new CommandError('the list begins like JSON, but is not valid JSON', { cause })
  }
  const { query } = parsed as { query?: { interwikimap?: unknown } }
  const list = query?.interwikimap
  if (!Array.isArray(list)) throw new CommandError('the JSON has no list query.interwikimap')
  return list.map((entry: unknown) => {
    const { prefix, url, language } = (entry ?? {}) as Partial<Record<keyof Interwiki, unknown>>
    if (typeof prefix !== 'string' || typeof url !== 'string')
      throw new CommandError(
        `an entry of query.interwikimap has no prefix or no URL: ${JSON.stringify(entry)}`,
      )
    return { prefix, url, ...(typeof language === 'string' && { language }) }
  })
}

function readLines(text: string): Interwiki[] {
  return text.split(/\r?\n/).flatMap((line) => {
    if (/^\s*(?:#|$)/.test(line)) return []
    const [prefix = '', url, ...name] = line.trim().split(/\s+/)
    if (url === undefined) throw new CommandError(`the line "${line}" has no URL`)
    const language = name.join(' ') || languageName(prefix)
    return [{ prefix, url, ...(language !== undefined && { language }) }]
  })
}
