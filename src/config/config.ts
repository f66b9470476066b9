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
    help: 'folder that holds the store',
    commands: COMMANDS,
  },
  batchBytes: {
    kind: 'integer',
    default: 2 ** 20,
    min: 1,
    max: 2 ** 30,
    help: 'how much text an import writes in one transaction; an interruption loses at most that much work',
    commands: ['import'],
  },
  indexThreads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 8,
    help: 'threads that encode pages for the search index; 0 takes one less than there are processors, at least one',
    commands: ['import', 'reindex', 'upgrade'],
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
  processes: {
    kind: 'integerOrAuto',
    default: 1,
    min: 1,
    max: 256,
    help: 'server processes that share the port and the store, under a supervisor that restarts them; auto takes three quarters of the processors, and has a supervisor on Linux even where that makes one; more than one needs Linux',
    commands: SERVE,
  },
  http: {
    kind: 'choice',
    default: 'auto',
    values: ['auto', 'uws', 'node'],
    help: 'HTTP library: uws is uWebSockets.js; node is node:http, which is slower and runs wherever Node does; auto takes uws where its binary loads',
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
    help: 'addresses and networks of the proxies whose X-Forwarded-For, X-Forwarded-Proto, X-Forwarded-Host and X-Request-Id are believed, separated by commas',
    commands: SERVE,
  },
  allowCrossOrigin: {
    kind: 'boolean',
    default: false,
    help: 'let scripts of every origin read the answers (Access-Control-Allow-Origin: *)',
    commands: SERVE,
  },
  anonymousEdits: {
    kind: 'boolean',
    default: false,
    help: 'open edits to everyone who sends the anonymous token (+\\), under the address they come from',
    commands: SERVE,
  },
  readOnly: {
    kind: 'boolean',
    default: false,
    help: 'refuse all edits',
    commands: SERVE,
  },
  html: {
    kind: 'boolean',
    default: true,
    help: 'whether there is HTML: when switched off, page bare and the routes that make HTML answer 500',
    commands: SERVE,
  },
  renderThreads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 64,
    help: 'threads of a process for the HTML of pages, some 200 MB each; 0 takes half of the processors for all processes together, at least one for each. Conversions get half as many of their own, at least one',
    commands: SERVE,
  },
  renderTimeoutMs: {
    kind: 'integer',
    default: 15_000,
    min: 1,
    max: DAY_MS,
    help: 'limit of processor time for the HTML of a page; on a busy machine it may take twice as long. Then the request answers 503',
    commands: SERVE,
  },
  convertTimeoutMs: {
    kind: 'integer',
    default: 30_000,
    min: 1,
    max: DAY_MS,
    help: 'longest time for a conversion of wikitext or HTML from a client, its wait for a thread included',
    commands: SERVE,
  },
  htmlCacheBytes: {
    kind: 'integer',
    default: 4 * 2 ** 30,
    min: 0,
    max: 2 ** 50,
    help: 'room in the store for HTML that was made; the oldest goes first, 0 keeps none',
    commands: SERVE,
  },
  diff: {
    kind: 'boolean',
    default: true,
    help: 'offer the comparison of revisions; without it, its route answers 500',
    commands: SERVE,
  },
  comparisonsBytes: {
    kind: 'integer',
    default: 32 * 2 ** 20,
    min: 0,
    max: 2 ** 40,
    help: 'memory for comparisons that were made; 0 keeps none',
    commands: SERVE,
  },
  searchNamespaces: {
    kind: 'numbers',
    default: '0',
    max: 32_767,
    help: 'numbers of the namespaces that are searched where a search names none, such as 0,4,14',
    commands: SERVE,
  },
  hotAnswersBytes: {
    kind: 'integer',
    default: 128 * 2 ** 20,
    min: 0,
    max: 2 ** 40,
    help: 'memory for ready answers of what is asked for most; 0 keeps none',
    commands: SERVE,
  },
  maxBodyBytes: {
    kind: 'integer',
    default: 16 * 2 ** 20,
    min: 1024,
    max: 2 ** 30,
    help: 'largest body of a request; a text of 2 MiB may take six times as much in JSON',
    commands: SERVE,
  },
  maxFileBytes: {
    kind: 'integer',
    default: 2 ** 32,
    min: 1,
    max: 2 ** 40,
    help: 'larger files are not imported',
    commands: ['import', 'files'],
  },
  mediaUrl: {
    kind: 'url',
    default: '',
    help: "address of this server's /media as clients find it, such as that of a cache before it; without it, /media below the address of the API",
    commands: SERVE,
  },
  remoteFileUrl: {
    kind: 'urlPattern',
    default: '',
    help: 'where the files are whose contents this store does not have, such as https://upload.wikimedia.org/wikipedia/commons/{hash1}/{hash2}/{name}',
    commands: SERVE,
  },
  remoteThumbnailUrl: {
    kind: 'urlPattern',
    default: '',
    help: 'where their scaled pictures are, such as https://upload.wikimedia.org/wikipedia/commons/thumb/{hash1}/{hash2}/{name}/{thumbnail}',
    commands: SERVE,
  },
  fileDescriptionUrl: {
    kind: 'urlPattern',
    default: '',
    help: 'where readers find the descriptions of files, such as https://wiki.example/wiki/File:{name}; without it, they are sent to the API',
    commands: SERVE,
  },
  maxImagePixels: {
    kind: 'integer',
    default: 100_000_000,
    min: 1,
    max: 1_000_000_000,
    help: 'pictures with more pixels are not scaled: they are offered as they are',
    commands: SERVE,
  },
  thumbnailCacheBytes: {
    kind: 'integer',
    default: 2 ** 30,
    min: 2 ** 20,
    max: 2 ** 50,
    help: 'room on the disk for scaled pictures; those that were not used for longest are deleted',
    commands: SERVE,
  },
  thumbnailProcesses: {
    kind: 'integer',
    default: 1,
    min: 1,
    max: 256,
    help: 'processes that scale pictures, for each process of the server; they are started when they are first needed',
    commands: SERVE,
  },
  thumbnailTimeoutMs: {
    kind: 'integer',
    default: 15_000,
    min: 1,
    max: DAY_MS,
    help: 'longest time that a picture may wait to be scaled, and that scaling it may take',
    commands: SERVE,
  },
  computeThreads: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 256,
    help: 'threads of a process for work that takes longer than a millisecond; 0 takes a quarter of the processors for all processes together, at least one for each',
    commands: SERVE,
  },
  taskTimeoutMs: {
    kind: 'integer',
    default: 5000,
    min: 1,
    max: DAY_MS,
    help: 'longest time that a task may wait for a compute thread, and then run in it; after that the request answers 503',
    commands: SERVE,
  },
  writeTimeoutMs: {
    kind: 'integer',
    default: 10_000,
    min: 1,
    max: DAY_MS,
    help: 'longest time that an edit may wait to be written, as while another process holds the write lock; after that it answers 503',
    commands: SERVE,
  },
  editsPerMinute: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    help: 'edits that one account, or one address without account, may make in a minute in each process; 0 is no limit; the groups sysop and bot have none',
    commands: SERVE,
  },
  readsPerSecond: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 1_000_000,
    help: 'GET and HEAD requests that one address may send in a second to each process, and ten times as many at once after a pause; an IPv6 address counts by its /64 network; 0 is no limit',
    commands: SERVE,
  },
  jwtIssuer: {
    kind: 'optionalText',
    default: '',
    help: 'the iss claim of JSON Web Tokens that are taken as bearer tokens; needs jwtAudience and keys',
    commands: SERVE,
  },
  jwtAudience: {
    kind: 'optionalText',
    default: '',
    help: 'what the aud claim of JSON Web Tokens must hold',
    commands: SERVE,
  },
  jwtSecretFile: {
    kind: 'optionalText',
    default: '',
    help: 'file with the secret of tokens signed with HS256, at least 32 bytes; a line break at its end does not count',
    commands: SERVE,
  },
  jwtKeys: {
    kind: 'optionalText',
    default: '',
    help: 'file or http(s) URL of the key set (JWKS) of tokens signed with RS256 or ES256',
    commands: SERVE,
  },
  jwtUserClaim: {
    kind: 'text',
    default: 'sub',
    help: 'the claim of a JSON Web Token that names the account; one that does not exist is made at its first edit',
    commands: SERVE,
  },
  createAccounts: {
    kind: 'boolean',
    default: false,
    help: 'let everybody make an account through the action API',
    commands: SERVE,
  },
  sessionDays: {
    kind: 'integer',
    default: 30,
    min: 1,
    max: 3650,
    help: 'days that a login lasts',
    commands: SERVE,
  },
  passwordMinLength: {
    kind: 'integer',
    default: 8,
    min: 1,
    max: 256,
    help: 'fewest letters of a new password',
    commands: ['serve', 'user'],
  },
  drainTimeoutMs: {
    kind: 'integer',
    default: 10_000,
    min: 0,
    max: DAY_MS,
    help: 'how long a stopping server waits for open requests',
    commands: SERVE,
  },
  slowAnswersBytes: {
    kind: 'integer',
    default: 256 * 2 ** 20,
    min: 0,
    max: 2 ** 40,
    help: 'memory for answers that slow clients have not read yet; at more, the next slow client loses its connection',
    commands: SERVE,
  },
  metricsFrom: {
    kind: 'addresses',
    default: '127.0.0.1, ::1',
    help: 'addresses and networks that may read /metrics, separated by commas; to all others it is not there',
    commands: SERVE,
  },
  accessLog: {
    kind: 'choice',
    default: 'off',
    values: ['off', 'json', 'combined'],
    help: 'log every request: as JSON, or in the combined format of Apache and nginx, which has neither duration nor request id',
    commands: SERVE,
  },
  accessLogFile: {
    kind: 'text',
    default: '-',
    help: 'file of the access log; when it is moved away, a new one is begun within a second; - is standard output',
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

/** All settings, in the table's order. */
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
  const value = parseSettingText(SETTINGS[name], text)
  if (value === undefined) {
    throw new SettingError(
      `${name}: ${origin} is "${text}", but it must be ${acceptedValues(SETTINGS[name])}`,
    )
  }
  return value
}
