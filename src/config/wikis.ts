/** The wikis of a server, and the settings of each. */
import { type Config, flagName, SettingError } from './config.js'
import type { SettingName } from './settings.js'
import { UserError } from '../runtime/userError.js'

export interface WikiSettings {
  /** Empty for the only wiki of a server. */
  readonly name: string
  /** Path before everything of the wiki: `/NAME`, or empty for the only wiki and for one with a host of its own. */
  readonly root: string
  /** Data folder, base path and public URL are those of the wiki. */
  readonly config: Config
}

/** Paths at the root that belong to the server itself. */
const TAKEN = ['assets', 'healthz', 'metrics', 'readyz', 'v1']

/** Settings that only one wiki can have, with the reason. */
const OF_ONE_WIKI: readonly (readonly [SettingName, reason: string])[] = [
  ['log', 'a shared log carries the changes of one wiki: serve the node of a cluster alone'],
  ['clusterTokenFile', 'a node of a cluster has one wiki: serve it alone'],
  ['peers', 'a node of a cluster has one wiki: serve it alone'],
  ['maxLogLagMs', 'a node of a cluster has one wiki: serve it alone'],
  ['mediaUrl', 'files of several wikis have the same names: put the cache before the server itself'],
]

/** True if the settings name the wikis. The server then lists them at `/`. */
export const hasNamedWikis = ({ wiki }: Pick<Config, 'wiki'>): boolean => wiki.length > 0

/**
 * The wikis to serve: those of `--wiki`, or the one in the data folder. Throws a SettingError for settings that do not
 * fit several wikis.
 */
export function wikisOf(config: Config): readonly WikiSettings[] {
  if (!hasNamedWikis(config)) return [{ name: '', root: '', config }]
  requireShareable(config)
  const taken = [...TAKEN, config.basePath.split('/')[1] ?? '']
  return config.wiki.map(({ name, dataDir }) => {
    if (taken.includes(name))
      throw new SettingError(`wiki: the server itself uses the path /${name}: give the wiki another name`)
    const root = isHost(name) ? '' : `/${name}`
    const basePath = root + config.basePath
    const publicUrl = urlOf(config.publicUrl, name, root)
    return { name, root, config: Object.freeze({ ...config, dataDir, basePath, publicUrl }) }
  })
}

/** A name with a dot is that of a host. */
export const isHost = (name: string): boolean => name.includes('.')

/** Opens parts of a wiki. With several wikis, the message of an error names it. */
export async function opening<Part>(
  { name }: Pick<WikiSettings, 'name'>,
  open: () => Part | Promise<Part>,
): Promise<Part> {
  try {
    return await open()
  } catch (error) {
    if (name !== '' && error instanceof UserError) error.message = `wiki ${name}: ${error.message}`
    throw error
  }
}

function requireShareable(config: Config): void {
  for (const [setting, reason] of OF_ONE_WIKI) {
    if (config[setting] === '' || config[setting] === 0) continue
    throw new SettingError(`${setting}: ${flagName(setting)} does not go with --wiki, since ${reason}`)
  }
  const folders = config.wiki.map(({ dataDir }) => dataDir.replace(/\/+$/, ''))
  const twice = folders.find((folder, n) => folders.indexOf(folder) !== n)
  if (twice !== undefined) throw new SettingError(`wiki: two wikis have the folder ${twice}`)
}

/** The public URL of a wiki: its root comes before the path, or its host in place of that of the server. */
function urlOf(publicUrl: string, name: string, root: string): string {
  if (publicUrl === '') return ''
  const url = new URL(publicUrl)
  if (root === '') url.hostname = name
  else url.pathname = root + url.pathname
  return url.href.replace(/\/+$/, '')
}
