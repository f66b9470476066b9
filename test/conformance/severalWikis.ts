/** Wikis side by side in one server, with the same titles and other texts. */
import { App } from '../../src/app/app.js'
import type { GivenFlags } from '../../src/config/config.js'
import { DEFAULT_SITE } from '../../src/domain/site.js'
import { Applier } from '../../src/storage/apply/applier.js'
import { Store } from '../../src/storage/store.js'
import { SearchWiki } from '../support/searchWiki.js'
import { afterFile } from '../support/cleanUp.js'
import { folderWith, page, revision } from './busyWiki.js'
import { type Answer, type RequestOptions, send, testConfig } from './garden.js'

export const HOST = 'rock.example'

export interface Wiki {
  readonly dataDir: string
  /** Path before everything of the wiki. */
  readonly root: string
  /** Sends a request to the wiki. The path is below its root. */
  send(path: string, options?: RequestOptions): Promise<Answer>
}

export interface SeveralWikis {
  readonly app: App
  readonly port: number
  /** Below `/garden/`, below `/field/`, and at a host of its own. */
  readonly garden: Wiki
  readonly field: Wiki
  readonly rock: Wiki
  /** Sends a request to the server itself. */
  send(path: string, options?: RequestOptions): Promise<Answer>
}

/** A folder with the pages Moon, Sun, Luna (a redirect) and `Only NAME`. The texts name the wiki, the wiki ids are equal. */
export async function folderNaming(
  name: string,
  prepare: (applier: Applier) => void = () => undefined,
): Promise<string> {
  const text = `The ${name} text of [[Sun]], [[Missing]] and [[Moon|a link]].\n== Part ==`
  const pages = ['Moon', 'Sun'].map((key, n) => {
    return page(n + 1, key, [revision(2 * n + 1, 'first'), revision(2 * n + 2, text)])
  })
  const luna = { ...page(3, 'Luna', [revision(5, '#REDIRECT [[Moon]]')]), redirectTarget: 'Moon' }
  const site = { ...DEFAULT_SITE, name: `Wiki ${name}`, wikiId: 'same', base: 'https://up.example/wiki/Moon' }
  const folder = await folderWith([...pages, luna], { site })
  const store = Store.open(folder)
  const applier = new Applier(store)
  // Imported pages wait for the index, which has pages of edits at once.
  new SearchWiki(store, applier, folder).write(`Only ${name}`, text)
  prepare(applier)
  await store.close()
  return folder
}

/** `prepare` changes each wiki before the start. */
export async function startSeveral(
  flags: GivenFlags = {},
  prepare?: (applier: Applier) => void,
): Promise<SeveralWikis> {
  const [garden, field, rock] = [
    await folderNaming('garden', prepare),
    await folderNaming('field', prepare),
    await folderNaming('rock', prepare),
  ]
  const wiki = `garden=${garden},field=${field},${HOST}=${rock}`
  const app = await App.open(testConfig('unused', { ...flags, wiki }))
  afterFile(() => app.close())
  const { port } = app
  const below = (dataDir: string, root: string): Wiki => ({
    dataDir,
    root,
    send: (path, options = {}) => send(port, root + path, options),
  })
  return {
    app,
    port,
    garden: below(garden, '/garden'),
    field: below(field, '/field'),
    rock: {
      dataDir: rock,
      root: '',
      send: (path, options = {}) =>
        send(port, path, { ...options, headers: { ...options.headers, host: HOST } }),
    },
    send: (path, options = {}) => send(port, path, options),
  }
}
