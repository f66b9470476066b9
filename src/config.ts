/** The settings table: flags, environment variables, --help and docs/configuration.md all come from it. */
import { isIP } from 'node:net'
import { type Command, Option } from 'commander'

/** A command that takes settings from the table. */
export type CommandName = 'serve' | 'import' | 'stats' | 'verify' | 'site'

interface SettingBase {
  readonly help: string
  /** The commands that take the setting. */
  readonly commands: readonly CommandName[]
}

export type Setting = SettingBase &
  (
    | { readonly kind: 'integer'; readonly default: number; readonly min: number; readonly max: number }
    | { readonly kind: 'boolean'; readonly default: boolean }
    | { readonly kind: 'text'; readonly default: string }
    | { readonly kind: 'choice'; readonly default: string; readonly values: readonly string[] }
    | { readonly kind: 'basePath'; readonly default: string }
    | { readonly kind: 'url'; readonly default: string }
    | { readonly kind: 'addresses'; readonly default: string }
  )

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const SERVE = ['serve'] as const
const EVERY_COMMAND = ['serve', 'import', 'stats', 'verify', 'site'] as const
const DAY_MS = 86_400_000

export const SETTINGS = {
  dataDir: {
    kind: 'text',
    default: './data',
    help: 'folder that holds the store',
    commands: EVERY_COMMAND,
  },
  batchBytes: {
    kind: 'integer',
    default: 8 * 2 ** 20,
    min: 1,
    max: 2 ** 30,
    help: 'how much text an import writes in one transaction; an interruption loses at most that much work',
    commands: ['import'],
  },
  host: {
    kind: 'text',
    default: '127.0.0.1',
    help: 'address to listen on; the default is reachable from this machine only, 0.0.0.0 means all IPv4 addresses',
    commands: SERVE,
  },
  port: {
    kind: 'integer',
    default: 8080,
    min: 0,
    max: 65_535,
    help: 'TCP port to listen on; 0 takes a free one',
    commands: SERVE,
  },
  basePath: {
    kind: 'basePath',
    default: '',
    help: 'path before /v1 in every route, such as /w/rest.php',
    commands: SERVE,
  },
  publicUrl: {
    kind: 'url',
    default: '',
    help: 'address of the API as clients see it, with its base path, such as https://wiki.example/w/rest.php; without it, links are made from the Host header',
    commands: SERVE,
  },
  trustedProxies: {
    kind: 'addresses',
    default: '',
    help: 'addresses and networks of the proxies whose X-Forwarded-Proto, X-Forwarded-Host and X-Request-Id are believed, separated by commas',
    commands: SERVE,
  },
  allowCrossOrigin: {
    kind: 'boolean',
    default: false,
    help: 'let scripts of every origin read the answers (Access-Control-Allow-Origin: *)',
    commands: SERVE,
  },
  html: {
    kind: 'boolean',
    default: true,
    help: 'whether there is HTML: when switched off, routes that name or make it answer 500',
    commands: SERVE,
  },
  computeThreads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 256,
    help: 'threads for work that takes longer than a millisecond; 0 takes a quarter of the processors, at least one',
    commands: SERVE,
  },
  taskTimeoutMs: {
    kind: 'integer',
    default: 10_000,
    min: 1,
    max: DAY_MS,
    help: 'longest time that a task may wait for a compute thread, and then run in it; after that the request answers 503',
    commands: SERVE,
  },
  drainTimeoutMs: {
    kind: 'integer',
    default: 10_000,
    min: 0,
    max: DAY_MS,
    help: 'how long a stopping server waits for open requests',
    commands: SERVE,
  },
  logLevel: {
    kind: 'choice',
    default: 'info',
    values: LOG_LEVELS,
    help: 'least severe messages to log; the log goes to standard error, one JSON object a line',
    commands: SERVE,
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

type ValueOf<S extends Setting> = S['kind'] extends 'integer'
  ? number
  : S['kind'] extends 'boolean'
    ? boolean
    : S['kind'] extends 'addresses'
      ? readonly string[]
      : S extends { readonly values: readonly (infer Value)[] }
        ? Value
        : string

/** The settings' values, each of its kind's type; `addresses` become a list. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }

/** What a command line gave, by setting name: text as written, switches as booleans. */
export type GivenFlags = Readonly<Record<string, string | boolean | undefined>>

/** A setting has a value that cannot be used; the message names the setting, the value and what is accepted. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** Names of the settings that a command takes, in the table's order. */
export function settingsOf(command: CommandName): SettingName[] {
  return settingNames().filter((name) =>
    (SETTINGS[name].commands as readonly CommandName[]).includes(command),
  )
}

/** Adds the flags of the settings that belong to `name` to a commander command. */
export function addSettings(command: Command, name: CommandName): Command {
  for (const setting of settingsOf(name)) command.addOption(optionOf(setting))
  return command
}

/**
 * Values of all settings: flag over environment over default. `flags` holds what the command line gave, by
 * setting name (see `givenFlags`). Throws a SettingError for a value that the setting does not accept.
 */
export function readSettings(
  flags: GivenFlags,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const values = settingNames().map((name) => {
    const flag = flags[name]
    if (flag !== undefined) return [name, parseSetting(name, String(flag), flagName(name))]
    const variable = environment[variableName(name)]
    return [name, parseSetting(name, variable ?? String(SETTINGS[name].default), variableName(name))]
  })
  return Object.freeze(Object.fromEntries(values) as Config)
}

/** Options of a command that stood on the command line, without commander's own defaults. */
export function givenFlags(command: Command): GivenFlags {
  const given = Object.entries(command.opts<Record<string, string | boolean>>()).filter(
    ([name]) => command.getOptionValueSource(name) === 'cli',
  )
  return Object.fromEntries(given)
}

/** `drainTimeoutMs` as a flag: `--drain-timeout-ms`. A switch that is on by default is named by its negation. */
export function flagName(name: SettingName): string {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return SETTINGS[name].kind === 'boolean' && SETTINGS[name].default ? `--no-${flag}` : `--${flag}`
}

/** `drainTimeoutMs` in the environment: `PALIMPSEST_DRAIN_TIMEOUT_MS`. */
export function variableName(name: SettingName): string {
  return `PALIMPSEST_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

/** What a setting accepts, in words. */
export function acceptedValues(name: SettingName): string {
  const setting: Setting = SETTINGS[name]
  switch (setting.kind) {
    case 'integer':
      return `a whole number from ${setting.min} to ${setting.max}`
    case 'boolean':
      return 'true or false'
    case 'choice':
      return `one of ${setting.values.join(', ')}`
    case 'text':
      return 'text, not empty'
    case 'basePath':
      return 'nothing, or a path that starts with / and holds letters, digits and - . _ ~ /'
    case 'url':
      return 'nothing, or an http or https URL without query and fragment'
    case 'addresses':
      return 'nothing, or IP addresses and networks such as 10.0.0.0/8, separated by commas'
  }
}

/** The text of docs/configuration.md. */
export function configurationMarkdown(): string {
  const rows = settingNames().map((name) => {
    const { default: value, help, commands } = SETTINGS[name]
    const shown = String(value) === '' ? '' : `\`${String(value)}\``
    const cells = [
      `\`${flagName(name)}\``,
      `\`${variableName(name)}\``,
      shown,
      acceptedValues(name),
      help,
      commands.join(', '),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return `${DOCUMENT_HEAD}\n${rows.join('\n')}\n${DOCUMENT_TAIL}`
}

const DOCUMENT_HEAD = `<!-- Made by "npm run docs" from src/config.ts: change it there. -->

# Settings

Every setting is a flag and an environment variable: the flag wins over the variable, the variable over the default. A
value that is not accepted stops the start, with a message that names it. Switches take no value as a flag and \`true\` or
\`false\` as a variable.

| flag | variable | default | accepted | meaning | commands |
|---|---|---|---|---|---|`

const DOCUMENT_TAIL = `
Behind a proxy: set \`--public-url\`, or name the proxy in \`--trusted-proxies\` and let it send \`X-Forwarded-Proto\` and
\`X-Forwarded-Host\`. The proxy must speak HTTP/1.1 to this server (nginx: \`proxy_http_version 1.1\`).
`

export function settingNames(): SettingName[] {
  return Object.keys(SETTINGS) as SettingName[]
}

function optionOf(name: SettingName): Option {
  const setting: Setting = SETTINGS[name]
  const placeholder = setting.kind === 'boolean' ? '' : ` <${setting.kind}>`
  const shown = String(setting.default) === '' ? '' : ` (default: ${String(setting.default)})`
  const note = setting.kind === 'boolean' ? '' : shown
  return new Option(`${flagName(name)}${placeholder}`, `${setting.help}${note}`).env(variableName(name))
}

/** Parses a setting's text; `origin` is the flag or variable to name in the message. */
function parseSetting(name: SettingName, text: string, origin: string): unknown {
  const value = parseKind(SETTINGS[name], text)
  if (value === undefined) {
    throw new SettingError(`${name}: ${origin} is "${text}", but it must be ${acceptedValues(name)}`)
  }
  return value
}

/** The value that a text stands for, or undefined when the setting does not accept it. */
function parseKind(setting: Setting, text: string): unknown {
  switch (setting.kind) {
    case 'integer': {
      const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
      return value >= setting.min && value <= setting.max ? value : undefined
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'choice':
      return setting.values.includes(text) ? text : undefined
    case 'text':
      return text === '' ? undefined : text
    case 'basePath': {
      const path = text.replace(/\/+$/, '')
      return /^(\/[A-Za-z0-9._~-]+)*$/.test(path) ? path : undefined
    }
    case 'url':
      return parsePublicUrl(text)
    case 'addresses':
      return parseAddresses(text)
  }
}

function parsePublicUrl(text: string): string | undefined {
  if (text === '') return ''
  if (!URL.canParse(text)) return undefined
  const { protocol, search, hash, href } = new URL(text)
  const usable = (protocol === 'http:' || protocol === 'https:') && search === '' && hash === ''
  return usable ? href.replace(/\/+$/, '') : undefined
}

function parseAddresses(text: string): string[] | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  return entries.every(isAddressOrNetwork) ? entries : undefined
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
