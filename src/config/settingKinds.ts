/** The kinds of settings: what each accepts, and how its text is read. */
import { isIP } from 'node:net'

/** Commands that take settings from the table: all that open a store. */
export const COMMANDS = [
  'serve',
  'mcp',
  'import',
  'follow',
  'files',
  'reindex',
  'render',
  'export',
  'stats',
  'verify',
  'replay',
  'backup',
  'site',
  'interwiki',
  'user',
  'token',
  'page',
  'revision',
  'erase',
  'log',
  'cluster',
  'expand',
] as const
export type CommandName = (typeof COMMANDS)[number]

/** Headings of the settings, in help and in docs/configuration.md. */
export type SettingGroup =
  | 'Store'
  | 'Address'
  | 'Processes and threads'
  | 'Edits and accounts'
  | 'HTML, comparison and search'
  | 'Pages for readers'
  | 'Files and pictures'
  | 'Memory and limits'
  | 'Figures and logs'
  | 'Several machines'

/** Words that stand for a value in help: `--port <n>`. Shells complete files and folders for `file` and `dir`. */
export type ValueWord =
  | 'address'
  | 'addresses'
  | 'bytes'
  | 'days'
  | 'dir'
  | 'file'
  | 'format'
  | 'level'
  | 'list'
  | 'ms'
  | 'n'
  | 'name'
  | 'path'
  | 'name=dir'
  | 'size'
  | 'text'
  | 'url'

interface SettingBase {
  readonly group: SettingGroup
  /** Hardly anybody changes it: it stands at the end of docs/configuration.md, and help only names it. */
  readonly expert?: true
  /** Undefined for a switch, which takes no value. */
  readonly value?: ValueWord
  /** What the flag does; for a switch that is on by default, what switching it off does. */
  readonly help: string
  /** The commands that take the setting. */
  readonly commands: readonly CommandName[]
}

export type Setting = SettingBase &
  (
    | { readonly kind: 'integer'; readonly default: number; readonly min: number; readonly max: number }
    | {
        readonly kind: 'integerOrAuto'
        readonly default: number | 'auto'
        readonly min: number
        readonly max: number
      }
    | { readonly kind: 'memory'; readonly default: 'usual' }
    | { readonly kind: 'boolean'; readonly default: boolean }
    | { readonly kind: 'text'; readonly default: string }
    | { readonly kind: 'optionalText'; readonly default: '' }
    | {
        readonly kind: 'choice'
        readonly default: string
        readonly values: readonly string[]
        /** The value that a flag `--no-NAME` stands for, and the text `false`; `true` is the default then. */
        readonly off?: string
      }
    | { readonly kind: 'contact'; readonly default: '' }
    | { readonly kind: 'basePath'; readonly default: string }
    | { readonly kind: 'url'; readonly default: string }
    | { readonly kind: 'urlPattern'; readonly default: string }
    | { readonly kind: 'addresses'; readonly default: string }
    | { readonly kind: 'numbers'; readonly default: string; readonly max: number }
    | { readonly kind: 'wikis'; readonly default: '' }
  )

/** What a URL pattern can have in it. */
const URL_PLACES = ['{name}', '{hash1}', '{hash2}', '{width}', '{thumbnail}']

/** What a setting accepts, in words. */
export function acceptedValues(setting: Setting): string {
  switch (setting.kind) {
    case 'integer':
      return `a whole number from ${setting.min} to ${setting.max}`
    case 'integerOrAuto':
      return `auto, or a whole number from ${setting.min} to ${setting.max}`
    case 'memory':
      return 'usual, auto, or a number of bytes such as 512MiB or 4GiB, at least 64MiB'
    case 'boolean':
      return 'true or false'
    case 'choice':
      return `one of ${setting.values.join(', ')}`
    case 'text':
      return 'text, not empty'
    case 'optionalText':
      return 'nothing, or text'
    case 'basePath':
      return 'nothing, or a path that starts with / and holds letters, digits and - . _ ~ /'
    case 'url':
      return 'nothing, or an http or https URL without query and fragment'
    case 'contact':
      return 'nothing, or a mail address or URL: 3 to 200 letters of ASCII, no brackets'
    case 'urlPattern':
      return `nothing, or an http or https URL with ${URL_PLACES.join(', ')} in it`
    case 'numbers':
      return `whole numbers from 0 to ${setting.max}, separated by commas`
    case 'wikis':
      return `nothing, or entries such as en=/data/en, separated by commas, without the same name twice: ${WIKI_NAMES}`
    case 'addresses':
      return 'nothing, or IP addresses and networks such as 10.0.0.0/8, separated by commas'
  }
}

/** The value that a text stands for, or undefined when the setting does not accept it. */
export function parseSettingText(setting: Setting, text: string): unknown {
  switch (setting.kind) {
    case 'integer':
      return parseInteger(setting, text)
    case 'integerOrAuto':
      return text === 'auto' ? text : parseInteger(setting, text)
    case 'memory':
      return text === 'usual' || text === 'auto' ? text : parseBytes(text)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'choice':
      return parseChoice(setting, text)
    case 'contact':
      return text === '' || CONTACT.test(text) ? text : undefined
    case 'text':
      return text === '' ? undefined : text
    case 'optionalText':
      return text
    case 'basePath': {
      const path = text.replace(/\/+$/, '')
      return /^(\/[A-Za-z0-9._~-]+)*$/.test(path) ? path : undefined
    }
    case 'url':
      return parsePublicUrl(text)
    case 'urlPattern':
      return isUrlPattern(text) ? text : undefined
    case 'addresses':
      return parseAddresses(text)
    case 'wikis':
      return parseWikis(text)
    case 'numbers': {
      const parts = text.split(',').map((part) => part.trim())
      const isUsable = parts.every((part) => /^\d{1,9}$/.test(part) && Number(part) <= setting.max)
      return isUsable ? [...new Set(parts.map(Number))] : undefined
    }
  }
}

/** Goes into a header, in brackets. */
const CONTACT = /^[\x20-\x27\x2a-\x7e]{3,200}$/

function parseChoice(
  setting: Extract<Setting, { readonly kind: 'choice' }>,
  text: string,
): string | undefined {
  const { values, off, default: value } = setting
  const meant = off === undefined ? text : text === 'false' ? off : text === 'true' ? value : text
  return values.includes(meant) ? meant : undefined
}

function parseInteger({ min, max }: { min: number; max: number }, text: string): number | undefined {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

const LEAST_MEMORY = 2 ** 26
const MOST_MEMORY = 2 ** 50
const UNITS = ['', 'k', 'm', 'g', 't']

/** `512MiB`, `4G` or a number of bytes. Units are powers of 1,024, as for control groups and containers. */
function parseBytes(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,16}(?:\.\d{1,3})?) ?(?:([kmgt])(?:ib)?)?$/i.exec(text) ?? []
  const bytes = Math.floor(Number(number) * 1024 ** UNITS.indexOf(unit?.toLowerCase() ?? ''))
  return bytes >= LEAST_MEMORY && bytes <= MOST_MEMORY ? bytes : undefined
}

function parsePublicUrl(text: string): string | undefined {
  if (text === '') return ''
  if (!URL.canParse(text)) return undefined
  const { protocol, search, hash, href } = new URL(text)
  const usable = (protocol === 'http:' || protocol === 'https:') && search === '' && hash === ''
  return usable ? href.replace(/\/+$/, '') : undefined
}

/** URLs of files go out as they are: nothing may be in one that ends an attribute or a header. */
function isUrlPattern(text: string): boolean {
  if (text === '') return true
  const places = text.match(/\{[^}]*\}/g) ?? []
  const known = places.length > 0 && places.every((place) => URL_PLACES.includes(place))
  return known && /^https?:\/\/[A-Za-z0-9.:[\]-]+\/[!#-&(-;=?-[\]_a-z{}~]*$/.test(text) && URL.canParse(text)
}

function parseAddresses(text: string): string[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  return entries.every(isAddressOrNetwork) ? entries : undefined
}

/** A wiki of several that one server serves. */
export interface WikiPlace {
  /** Part of its URLs, or, if it has a dot, the host that it stands at. */
  readonly name: string
  readonly dataDir: string
}

const WIKI_NAMES = 'a name has letters, digits, - and _, and is a part of URLs; with a dot, it is a host'
const PATH_NAME = /^[A-Za-z0-9_-]{1,64}$/
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/

function parseWikis(text: string): WikiPlace[] | undefined {
  const wikis: WikiPlace[] = []
  for (const entry of text.split(',')) {
    const [, given = '', dataDir = ''] = /^\s*([^=\s]+)=(.+?)\s*$/.exec(entry) ?? []
    const name = given.includes('.') ? given.toLowerCase() : given
    const isUsable = PATH_NAME.test(name) || HOST_NAME.test(name)
    if (text !== '' && (!isUsable || wikis.some((other) => other.name === name))) return undefined
    if (text !== '') wikis.push({ name, dataDir })
  }
  return wikis
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
