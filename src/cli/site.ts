/** `palimpsest site`: shows and changes the settings of the site. */
import type { Command } from 'commander'
import { addSettings, givenFlags, readSettings } from '../config/config.js'
import type { Site } from '../domain/site.js'
import type { Store } from '../storage/store.js'
import { CommandError } from './commandError.js'
import { type ApplyChange, type StorePlace, withStore } from './storeAccess.js'

interface SiteKey {
  readonly help: string
  readonly get: (site: Site) => string
  readonly set: (site: Site, value: string) => Partial<Site>
}

/** The keys of `site set`; all values are text on the command line. */
const SITE_KEYS: Record<string, SiteKey> = {
  name: {
    help: 'name of the wiki',
    get: (site) => site.name,
    set: (_site, name) => ({ name }),
  },
  language: {
    help: 'code of the language that the wiki is written in',
    get: (site) => site.language,
    set: (_site, language) => ({ language }),
  },
  wikiId: {
    help: 'database name, such as enwiki; dumps of another one are refused',
    get: (site) => site.wikiId,
    set: (_site, wikiId) => ({ wikiId }),
  },
  base: {
    help: 'URL of the main page of the wiki that is mirrored',
    get: (site) => site.base,
    set: (_site, base) => ({ base }),
  },
  licenseUrl: {
    help: 'URL of the licence of the texts',
    get: (site) => site.license.url,
    set: (site, url) => ({ license: { ...site.license, url } }),
  },
  licenseTitle: {
    help: 'name of the licence of the texts',
    get: (site) => site.license.title,
    set: (site, title) => ({ license: { ...site.license, title } }),
  },
  bots: {
    help: 'names of users whose edits are a bot\'s, separated by "|"',
    get: (site) => site.bots.join('|'),
    set: (_site, names) => ({
      bots: [...new Set(names.split('|').map((name) => name.trim()))].filter(Boolean).sort(),
    }),
  },
}

export function addSiteCommand(program: Command): void {
  const site = program
    .command('site')
    .summary('show or change name, language, licence')
    .description('Show or change what the wiki says of itself: name, language, licence, bots.')
  const show = site
    .command('show', { isDefault: true })
    .summary('print all keys with their values')
    .description('Print all keys with their values.')
  addSettings(show, 'site').action(() => showSite(readSettings(givenFlags(show))))
  const keys = Object.entries(SITE_KEYS).map(([key, { help }]) => `  ${key.padEnd(13)} ${help}`)
  const set = site
    .command('set')
    .summary('change one key')
    .description('Change one key. A running server follows within a second.')
    .argument('<key>', `one of ${Object.keys(SITE_KEYS).join(', ')}`)
    .argument('<value>', 'new value, as one argument; an empty one clears the key')
    .addHelpText('after', `\nKeys:\n${keys.join('\n')}`)
  addSettings(set, 'site').action((key: string, value: string) =>
    setSite(readSettings(givenFlags(set)), key, value),
  )
}

async function showSite(place: StorePlace): Promise<void> {
  await withStore(place, (store) => {
    for (const [key, { get }] of Object.entries(SITE_KEYS))
      process.stdout.write(`${key.padEnd(13)} ${get(store.site())}\n`)
  })
}

/** Sets one key through an entry in the log. Creates a missing store, so that bots can be named before an import. */
async function setSite(place: StorePlace, key: string, value: string): Promise<void> {
  const siteKey = SITE_KEYS[key]
  if (siteKey === undefined) {
    throw new CommandError(`there is no key "${key}". Keys: ${Object.keys(SITE_KEYS).join(', ')}`)
  }
  const set = async (store: Store, apply: ApplyChange): Promise<void> => {
    const change = siteKey.set(store.site(), value)
    // An unchanged value needs no entry, so scripts can set keys repeatedly.
    if (JSON.stringify({ ...store.site(), ...change }) !== JSON.stringify(store.site())) {
      const verdict = await apply({ kind: 'settings', site: change })
      if (verdict.result === 'site-refused')
        throw new CommandError(`the ${key} is not changed: ${verdict.reason}`)
      store.reloadSite()
    }
    process.stdout.write(`${key.padEnd(13)} ${siteKey.get(store.site())}\n`)
  }
  await withStore(place, set, { create: true })
}
