/** The settings table: flags, environment variables, --help and docs/configuration.md all come from it. */
import { type Command, Option } from 'commander'
import { usableProcessors } from '../processors.js'
import { acceptedValues, type CommandName, COMMANDS, parseSettingText, type Setting } from './settingKinds.js'
import { UserError } from '../userError.js'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const SERVE = ['serve'] as const
const DAY_MS = 86_400_000

export const SETTINGS = {
  dataDir: {
    kind: 'text',
    default: './data',
    group: 'Store',
    value: 'dir',
    help: 'folder of the wiki',
    commands: COMMANDS,
  },
  batchBytes: {
    kind: 'integer',
    default: 2 ** 20,
    min: 1,
    max: 2 ** 30,
    group: 'Store',
    value: 'bytes',
    help: 'text that an import writes in one transaction; an interruption loses at most this much work',
    commands: ['import'],
  },
  indexThreads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 8,
    group: 'Store',
    value: 'n',
    help: 'threads that prepare pages for the search index; 0 means one less than there are processors, and at least one',
    commands: ['import', 'reindex', 'upgrade'],
  },
  host: {
    kind: 'text',
    default: '127.0.0.1',
    group: 'Address',
    value: 'address',
    help: 'address to listen on. The default is reachable from this machine only; 0.0.0.0 means all IPv4 addresses',
    commands: SERVE,
  },
  port: {
    kind: 'integer',
    default: 8080,
    min: 0,
    max: 65_535,
    group: 'Address',
    value: 'n',
    help: 'TCP port to listen on; 0 takes a free one',
    commands: SERVE,
  },
  http: {
    kind: 'choice',
    default: 'auto',
    values: ['auto', 'uws', 'node'],
    group: 'Address',
    value: 'name',
    help: 'HTTP library: uws is uWebSockets.js; node is node:http, which is slower and runs wherever Node does; auto takes uws where its binary loads',
    commands: SERVE,
  },
  basePath: {
    kind: 'basePath',
    default: '',
    group: 'Address',
    value: 'path',
    help: 'path before /v1 in every route, such as /w/rest.php',
    commands: SERVE,
  },
  publicUrl: {
    kind: 'url',
    default: '',
    group: 'Address',
    value: 'url',
    help: 'URL of the API as clients see it, with its base path, such as https://wiki.example/w/rest.php. Without it, links follow the Host header',
    commands: SERVE,
  },
  mediaUrl: {
    kind: 'url',
    default: '',
    group: 'Address',
    value: 'url',
    help: 'URL of /media as clients see it, such as that of a cache in front. Without it, /media below the URL of the API',
    commands: SERVE,
  },
  trustedProxies: {
    kind: 'addresses',
    default: '',
    group: 'Address',
    value: 'addresses',
    help: 'proxies whose X-Forwarded-For, X-Forwarded-Proto, X-Forwarded-Host and X-Request-Id the server believes: addresses and networks, separated by commas',
    commands: SERVE,
  },
  allowCrossOrigin: {
    kind: 'boolean',
    default: false,
    group: 'Address',
    help: 'let scripts of other sites read the answers (Access-Control-Allow-Origin: *)',
    commands: SERVE,
  },
  processes: {
    kind: 'integerOrAuto',
    default: 1,
    min: 1,
    max: 256,
    group: 'Processes and threads',
    value: 'n',
    help: 'server processes that share the port and the store; a supervisor restarts them. auto takes three quarters of the processors, and starts a supervisor even for one process. More than one, and the supervisor of auto, need Linux',
    commands: SERVE,
  },
  computeThreads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 256,
    group: 'Processes and threads',
    value: 'n',
    help: 'threads in each process for comparisons, searches and large texts; 0 shares a quarter of the processors between the processes, at least one each',
    commands: SERVE,
  },
  renderThreads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 64,
    group: 'Processes and threads',
    value: 'n',
    help: 'threads in each process for the HTML of pages, some 200 MB each; 0 shares half of the processors between the processes, at least one each. Conversions get half as many more, at least one',
    commands: SERVE,
  },
  thumbnailProcesses: {
    kind: 'integer',
    default: 1,
    min: 1,
    max: 256,
    group: 'Processes and threads',
    value: 'n',
    help: 'processes that scale pictures, for each process of the server; they start when a picture is first needed',
    commands: SERVE,
  },
  taskTimeoutMs: {
    kind: 'integer',
    default: 5000,
    min: 1,
    max: DAY_MS,
    group: 'Processes and threads',
    value: 'ms',
    help: 'longest time that a task waits for a compute thread, and longest time that it runs; after that the request answers 503',
    commands: SERVE,
  },
  drainTimeoutMs: {
    kind: 'integer',
    default: 10_000,
    min: 0,
    max: DAY_MS,
    group: 'Processes and threads',
    value: 'ms',
    help: 'time that a stopping server gives to open requests',
    commands: SERVE,
  },
  readOnly: {
    kind: 'boolean',
    default: false,
    group: 'Edits and accounts',
    help: 'refuse all edits',
    commands: SERVE,
  },
  anonymousEdits: {
    kind: 'boolean',
    default: false,
    group: 'Edits and accounts',
    help: 'open edits to everybody who sends the anonymous token (+\\), under their IP address. Makes an empty wiki where there is none',
    commands: SERVE,
  },
  createAccounts: {
    kind: 'boolean',
    default: false,
    group: 'Edits and accounts',
    help: 'let everybody create an account through the action API',
    commands: SERVE,
  },
  sessionDays: {
    kind: 'integer',
    default: 30,
    min: 1,
    max: 3650,
    group: 'Edits and accounts',
    value: 'days',
    help: 'days that a login lasts',
    commands: SERVE,
  },
  passwordMinLength: {
    kind: 'integer',
    default: 8,
    min: 1,
    max: 256,
    group: 'Edits and accounts',
    value: 'n',
    help: 'fewest characters of a new password',
    commands: ['serve', 'user'],
  },
  editsPerMinute: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    group: 'Edits and accounts',
    value: 'n',
    help: 'edits a minute for one account, or one address without account, in each process; 0 means no limit. The groups sysop and bot have none',
    commands: SERVE,
  },
  writeTimeoutMs: {
    kind: 'integer',
    default: 10_000,
    min: 1,
    max: DAY_MS,
    group: 'Edits and accounts',
    value: 'ms',
    help: 'longest time that an edit waits to be written, for example while another process holds the write lock; after that it answers 503',
    commands: SERVE,
  },
  jwtIssuer: {
    kind: 'optionalText',
    default: '',
    group: 'Edits and accounts',
    value: 'text',
    help: 'accept JSON Web Tokens with this iss claim as bearer tokens; needs --jwt-audience, and --jwt-secret-file or --jwt-keys',
    commands: SERVE,
  },
  jwtAudience: {
    kind: 'optionalText',
    default: '',
    group: 'Edits and accounts',
    value: 'text',
    help: 'value that the aud claim of a JSON Web Token must hold',
    commands: SERVE,
  },
  jwtSecretFile: {
    kind: 'optionalText',
    default: '',
    group: 'Edits and accounts',
    value: 'file',
    help: 'secret of tokens signed with HS256, at least 32 bytes; a line break at its end does not count',
    commands: SERVE,
  },
  jwtKeys: {
    kind: 'optionalText',
    default: '',
    group: 'Edits and accounts',
    value: 'url',
    help: 'key set (JWKS) of tokens signed with RS256 or ES256: an http(s) URL or a file',
    commands: SERVE,
  },
  jwtUserClaim: {
    kind: 'text',
    default: 'sub',
    group: 'Edits and accounts',
    value: 'name',
    help: 'claim of a JSON Web Token that names the account; its first edit creates an account that does not exist',
    commands: SERVE,
  },
  html: {
    kind: 'boolean',
    default: true,
    group: 'HTML, comparison and search',
    help: 'make no HTML: page bare and the routes for HTML answer 500',
    commands: SERVE,
  },
  renderTimeoutMs: {
    kind: 'integer',
    default: 15_000,
    min: 1,
    max: DAY_MS,
    group: 'HTML, comparison and search',
    value: 'ms',
    help: 'processor time for the HTML of a page, up to twice as long on a busy machine; after that the request answers 503',
    commands: SERVE,
  },
  lua: {
    kind: 'boolean',
    default: true,
    group: 'HTML, comparison and search',
    help: 'run no modules: each call of one shows an error',
    commands: SERVE,
  },
  luaTimeMs: {
    kind: 'integer',
    default: 10_000,
    min: 1,
    max: DAY_MS,
    group: 'HTML, comparison and search',
    value: 'ms',
    help: 'processor time for the modules of a page; after that, their calls show an error',
    commands: SERVE,
  },
  luaMemoryBytes: {
    kind: 'integer',
    default: 52_428_800,
    min: 2 ** 20,
    max: 2 ** 28,
    group: 'HTML, comparison and search',
    value: 'bytes',
    help: 'memory for the modules of a page, in each thread',
    commands: SERVE,
  },
  convertTimeoutMs: {
    kind: 'integer',
    default: 30_000,
    min: 1,
    max: DAY_MS,
    group: 'HTML, comparison and search',
    value: 'ms',
    help: 'longest time for a conversion between wikitext and HTML that a client asks for, its wait for a thread included',
    commands: SERVE,
  },
  htmlCacheBytes: {
    kind: 'integer',
    default: 4 * 2 ** 30,
    min: 0,
    max: 2 ** 50,
    group: 'HTML, comparison and search',
    value: 'bytes',
    help: 'room in the store for HTML that was made; the oldest goes first, 0 keeps none',
    commands: SERVE,
  },
  diff: {
    kind: 'boolean',
    default: true,
    group: 'HTML, comparison and search',
    help: 'compare no revisions: the route for comparison answers 500',
    commands: SERVE,
  },
  comparisonsBytes: {
    kind: 'integer',
    default: 32 * 2 ** 20,
    min: 0,
    max: 2 ** 40,
    group: 'HTML, comparison and search',
    value: 'bytes',
    help: 'memory for comparisons that were made; 0 keeps none',
    commands: SERVE,
  },
  searchNamespaces: {
    kind: 'numbers',
    default: '0',
    max: 32_767,
    group: 'HTML, comparison and search',
    value: 'list',
    help: 'numbers of the namespaces to search when a search names none, such as 0,4,14',
    commands: SERVE,
  },
  maxFileBytes: {
    kind: 'integer',
    default: 2 ** 32,
    min: 1,
    max: 2 ** 40,
    group: 'Files and pictures',
    value: 'bytes',
    help: 'leave out larger files',
    commands: ['import', 'files'],
  },
  remoteFileUrl: {
    kind: 'urlPattern',
    default: '',
    group: 'Files and pictures',
    value: 'url',
    help: 'files whose contents this store does not have, such as https://files.example/{hash1}/{hash2}/{name}',
    commands: SERVE,
  },
  remoteThumbnailUrl: {
    kind: 'urlPattern',
    default: '',
    group: 'Files and pictures',
    value: 'url',
    help: 'scaled pictures of such files, such as https://files.example/thumb/{name}/{thumbnail}',
    commands: SERVE,
  },
  fileDescriptionUrl: {
    kind: 'urlPattern',
    default: '',
    group: 'Files and pictures',
    value: 'url',
    help: 'descriptions of files for readers, such as https://wiki.example/wiki/File:{name}. Without it, links lead to the API',
    commands: SERVE,
  },
  maxImagePixels: {
    kind: 'integer',
    default: 100_000_000,
    min: 1,
    max: 1_000_000_000,
    group: 'Files and pictures',
    value: 'n',
    help: 'offer pictures with more pixels as they are, not scaled',
    commands: SERVE,
  },
  thumbnailCacheBytes: {
    kind: 'integer',
    default: 2 ** 30,
    min: 2 ** 20,
    max: 2 ** 50,
    group: 'Files and pictures',
    value: 'bytes',
    help: 'room on the disk for scaled pictures; those that nobody used for longest go first',
    commands: SERVE,
  },
  thumbnailTimeoutMs: {
    kind: 'integer',
    default: 15_000,
    min: 1,
    max: DAY_MS,
    group: 'Files and pictures',
    value: 'ms',
    help: 'longest time that a picture waits to be scaled, and longest time that scaling takes',
    commands: SERVE,
  },
  hotAnswersBytes: {
    kind: 'integer',
    default: 128 * 2 ** 20,
    min: 0,
    max: 2 ** 40,
    group: 'Memory and limits',
    value: 'bytes',
    help: 'memory for ready answers that clients ask for most; 0 keeps none',
    commands: SERVE,
  },
  slowAnswersBytes: {
    kind: 'integer',
    default: 256 * 2 ** 20,
    min: 0,
    max: 2 ** 40,
    group: 'Memory and limits',
    value: 'bytes',
    help: 'memory for answers that slow clients have not read yet; above it, the next slow client loses its connection',
    commands: SERVE,
  },
  maxBodyBytes: {
    kind: 'integer',
    default: 16 * 2 ** 20,
    min: 1024,
    max: 2 ** 30,
    group: 'Memory and limits',
    value: 'bytes',
    help: 'largest body of a request; a text of 2 MiB can take six times as much in JSON',
    commands: SERVE,
  },
  readsPerSecond: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    group: 'Memory and limits',
    value: 'n',
    help: 'GET and HEAD requests a second for one address in each process, and ten times as many at once after a pause. An IPv6 address counts by its /64 network; 0 means no limit',
    commands: SERVE,
  },
  metricsFrom: {
    kind: 'addresses',
    default: '127.0.0.1, ::1',
    group: 'Figures and logs',
    value: 'addresses',
    help: 'addresses and networks that may read /metrics, separated by commas; others get 404',
    commands: SERVE,
  },
  accessLog: {
    kind: 'choice',
    default: 'off',
    values: ['off', 'json', 'combined'],
    group: 'Figures and logs',
    value: 'format',
    help: 'log every request: as JSON, or in the combined format of Apache and nginx, which has neither duration nor request id',
    commands: SERVE,
  },
  accessLogFile: {
    kind: 'text',
    default: '-',
    group: 'Figures and logs',
    value: 'file',
    help: 'file of the access log; - is standard output. When the file is moved away, the server starts a new one within a second',
    commands: SERVE,
  },
  logLevel: {
    kind: 'choice',
    default: 'info',
    values: LOG_LEVELS,
    group: 'Figures and logs',
    value: 'level',
    help: 'least severe messages to log; the log goes to standard error, one JSON object a line',
    commands: SERVE,
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

type ValueOf<S extends Setting> = S['kind'] extends 'integer'
  ? number
  : S['kind'] extends 'integerOrAuto'
    ? number | 'auto'
    : S['kind'] extends 'boolean'
      ? boolean
      : S['kind'] extends 'addresses'
        ? readonly string[]
        : S['kind'] extends 'numbers'
          ? readonly number[]
          : S extends { readonly values: readonly (infer Value)[] }
            ? Value
            : string

/** The settings' values, each of its kind's type; `addresses` become a list. */
export type Config = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }

/** What a command line gave, by setting name: text as written, switches as booleans. */
export type GivenFlags = Readonly<Record<string, string | boolean | undefined>>

/** A setting has a value that cannot be used; the message names the setting, the value and what is accepted. */
export class SettingError extends UserError {
  override readonly name = 'SettingError'
}

/** How many server processes there are to be: `auto` leaves a quarter of the processors to the compute threads. */
export function processCount(processes: Config['processes'], processors = usableProcessors()): number {
  if (processes !== 'auto') return processes
  return processors - Math.floor(processors / 4)
}

/**
 * How many threads of a kind each server process has. Where the settings leave it open, those of all processes together
 * take a quarter (`compute`) or half (`render`) of the processors, but each process needs one.
 */
export function threadCounts(
  {
    processes,
    computeThreads,
    renderThreads,
  }: Pick<Config, 'processes' | 'computeThreads' | 'renderThreads'>,
  processors = usableProcessors(),
): { readonly compute: number; readonly render: number } {
  const sharing = processCount(processes, processors)
  const share = (most: number): number => Math.max(1, Math.floor(most / sharing))
  return { compute: computeThreads || share(processors / 4), render: renderThreads || share(processors / 2) }
}

/** Names of the settings that a command takes, in the table's order. */
export function settingsOf(command: CommandName): SettingName[] {
  return settingNames().filter((name) =>
    (SETTINGS[name].commands as readonly CommandName[]).includes(command),
  )
}

/** Adds the flags of the settings that belong to `name` to a commander command, in groups. */
export function addSettings(command: Command, name: CommandName): Command {
  for (const setting of settingsOf(name)) command.addOption(optionOf(setting))
  return command.addHelpText('after', VARIABLES_NOTE)
}

const VARIABLES_NOTE = `
Settings can also come from environment variables:
--data-dir is ${variableName('dataDir')}.`

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

/** All settings, in the table's order. */
export function settingNames(): SettingName[] {
  return Object.keys(SETTINGS) as SettingName[]
}

function optionOf(name: SettingName): Option {
  const setting: Setting = SETTINGS[name]
  const placeholder = setting.value === undefined ? '' : ` <${setting.value}>`
  const option = new Option(`${flagName(name)}${placeholder}`, setting.help).helpGroup(`${setting.group}:`)
  // For help and completion alone: `readSettings` reads values, of variables too.
  if (setting.kind === 'choice') option.choices([...setting.values]).argParser((text) => text)
  if (setting.kind !== 'boolean' && setting.default !== '')
    option.default(setting.default, defaultText(setting))
  return option
}

const BYTE_UNITS = [
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
] as const

/** The default as people read it: bytes in MiB or GiB, too. */
function defaultText({ default: value, value: word }: Setting): string {
  const unit = word === 'bytes' ? BYTE_UNITS.find(([bytes]) => Number(value) >= bytes) : undefined
  return unit === undefined ? String(value) : `${String(value)}, ${Number(value) / unit[0]} ${unit[1]}`
}

/** Parses a setting's text; `origin` is the flag or variable to name in the message. */
function parseSetting(name: SettingName, text: string, origin: string): unknown {
  const value = parseSettingText(SETTINGS[name], text)
  if (value === undefined) {
    throw new SettingError(
      `${name}: ${origin} is "${text}", but it must be ${acceptedValues(SETTINGS[name])}`,
    )
  }
  return value
}
