/** `palimpsest site`: shows and changes the settings of the site. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import type { Store } from '../storage/store.js'
import { CommandError } from './commandError.js'
import { addExamples } from './help.js'
import { SITE_KEYS } from './site/siteKeys.js'
import { type ApplyChange, type StorePlace, withStore } from './storeAccess.js'

export function addSiteCommand(program: Command): void {
  const site = program
    .command('site')
    .summary('show or change name, language, licence')
    .description('Show or change what the wiki says of itself: name, language, licence, bots, rules.')
  const show = site
    .command('show', { isDefault: true })
    .summary('print all keys with their values')
    .description('Print all keys with their values.')
  addSettings(show, 'site').action(() => showSite(readSettings(givenFlags(show))))
  addSetCommand(site)
  addImportCommand(site)
}

function addSetCommand(site: Command): void {
  const known = Object.entries(SITE_KEYS).filter(([, { set }]) => set !== undefined)
  const keys = known.map(([key, { help }]) => `  ${key.padEnd(15)} ${help}`)
  const set = site
    .command('set')
    .summary('change one key')
    .description('Change one key. A running server follows within a second.')
    .argument('<key>', `one of ${known.map(([key]) => key).join(', ')}`)
    .argument('<value>', 'new value, as one argument; an empty one clears the key')
    .addHelpText('after', `\nKeys:\n${keys.join('\n')}`)
  addSettings(set, 'site').action((key: string, value: string) =>
    setSite(readSettings(givenFlags(set)), key, value),
  )
}

function addImportCommand(site: Command): void {
  const load = site
    .command('import')
    .summary("take over the wiki's own answer about itself")
    .description(
      'Take over what a wiki says of itself: the answer of its action API to meta=siteinfo, as JSON.\n' +
        'It has rules that no dump has: further names of namespaces, subpages, string functions, tags, names of\n' +
        'special pages, prefixes of other wikis. The answer wins over the dump, and over earlier settings.\n' +
        'A store that follows a wiki needs no import: "palimpsest follow" asks by itself.',
    )
    .argument('<file>', 'file with the answer')
  addSettings(load, 'site').action(async (file: string) => {
    const { importSiteinfo } = await import('./site/importSiteinfo.js')
    await importSiteinfo(readSettings(givenFlags(load)), file)
  })
  addExamples(load, [
    [
      'from the wiki to the store',
      'curl -o siteinfo.json "https://gd.wikipedia.org/w/api.php?action=query&meta=siteinfo&format=json&\\\n' +
        '    formatversion=2&siprop=general|namespaces|namespacealiases|interwikimap|rightsinfo|\\\n' +
        '    specialpagealiases|functionhooks|extensiontags|fileextensions|protocols"\n' +
        '    palimpsest site import --data-dir data/gd siteinfo.json',
    ],
  ])
}

async function showSite(place: StorePlace): Promise<void> {
  await withStore(place, (store) => {
    for (const [key, { get }] of Object.entries(SITE_KEYS))
      process.stdout.write(`${key.padEnd(15)} ${get(store.site())}`.trimEnd() + '\n')
  })
}

/** Sets one key through an entry in the log. Creates a missing store, so that bots can be named before an import. */
async function setSite(place: StorePlace, key: string, value: string): Promise<void> {
  const siteKey = Object.hasOwn(SITE_KEYS, key) ? SITE_KEYS[key] : undefined
  if (siteKey === undefined)
    throw new CommandError(`there is no key "${key}". Keys: ${Object.keys(SITE_KEYS).join(', ')}`)
  const setKey = siteKey.set
  if (setKey === undefined)
    throw new CommandError(`${key} comes from the wiki's own answer alone: see "palimpsest site import"`)
  const set = async (store: Store, apply: ApplyChange): Promise<void> => {
    const change = setKey(store.site(), value)
    if (siteKey.isRule) (await import('./site/importSiteinfo.js')).requireRulesVersion(store)
    // An unchanged value needs no entry, so scripts can set keys repeatedly.
    if (JSON.stringify({ ...store.site(), ...change }) !== JSON.stringify(store.site())) {
      const verdict = await apply({ kind: 'settings', site: change })
      if (verdict.result === 'site-refused')
        throw new CommandError(`the ${key} is not changed: ${verdict.reason}`)
      store.reloadSite()
    }
    process.stdout.write(`${key.padEnd(15)} ${siteKey.get(store.site())}\n`)
  }
  await withStore(place, set, { create: true })
}
