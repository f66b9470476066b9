/** Values of the settings: as options of commands, from the environment, or by default. */
import { type Command, Option } from 'commander'
import { usableProcessors } from '../runtime/processors.js'
import {
  acceptedValues,
  type CommandName,
  parseSettingText,
  type Setting,
  type WikiPlace,
} from './settingKinds.js'
import { REMOVED_SETTINGS, type SettingName, settingNames, SETTINGS } from './settings.js'
import { UserError } from '../runtime/userError.js'
import { usableMemory } from '../runtime/memory.js'

type ValueOf<S extends Setting> = S['kind'] extends 'integer'
  ? number
  : S['kind'] extends 'integerOrAuto'
    ? number | 'auto'
    : S['kind'] extends 'memory'
      ? Memory
      : S['kind'] extends 'boolean'
        ? boolean
        : S['kind'] extends 'addresses'
          ? readonly string[]
          : S['kind'] extends 'wikis'
            ? readonly WikiPlace[]
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
 * take a quarter (`compute`) or half (`render`) of the processors, but each process needs one. A given memory bounds
 * those for HTML.
 */
export function threadCounts(
  {
    processes,
    memory,
    computeThreads,
    renderThreads,
  }: Pick<Config, 'processes' | 'memory' | 'computeThreads' | 'renderThreads'>,
  processors = usableProcessors(),
): { readonly compute: number; readonly render: number } {
  const sharing = processCount(processes, processors)
  const share = (most: number): number => Math.max(1, Math.floor(most / sharing))
  const fit = memory === 'usual' ? Infinity : mostRenderThreads(processMemory(memory, sharing))
  return {
    compute: computeThreads || share(processors / 4),
    render: renderThreads || Math.min(share(processors / 2), fit),
  }
}

/** Names of the settings that a command takes, in the table's order. */
export function settingsOf(command: CommandName): SettingName[] {
  return settingNames().filter((name) =>
    (SETTINGS[name].commands as readonly CommandName[]).includes(command),
  )
}

/** Adds the flags of the settings of `name` to a commander command, in groups. Help only names the expert ones. */
export function addSettings(command: Command, name: CommandName): Command {
  const settings = settingsOf(name)
  for (const setting of settings) for (const option of optionsOf(setting)) command.addOption(option)
  for (const removed of Object.keys(REMOVED_SETTINGS))
    command.addOption(new Option(`${asFlag(removed)} <value>`).hideHelp())
  const experts = settings.filter(isExpert).map(flagName)
  const note = experts.length === 0 ? '' : `${EXPERT_NOTE}\n${linesOf(experts)}\n`
  return command.addHelpText('after', note + VARIABLES_NOTE)
}

const VARIABLES_NOTE = `
Settings can also come from environment variables:
--data-dir is ${variableName('dataDir')}.`

const EXPERT_NOTE = `
Expert settings, explained in docs/configuration.md; few wikis need them:`
const HELP_COLUMNS = 80

/** Words in lines of help. */
function linesOf(words: readonly string[]): string {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length === 0 || longer.length > HELP_COLUMNS) lines.push(`  ${word}`)
    else lines[lines.length - 1] = longer
  }
  return lines.join('\n')
}

export function isExpert(name: SettingName): boolean {
  const setting: Setting = SETTINGS[name]
  return setting.expert === true
}

/**
 * Values of all settings: flag over environment over default. `flags` holds what the command line gave, by setting name
 * (see `givenFlags`). Settings of memory that are not given follow `memory`. Throws a SettingError for a value that the
 * setting does not accept, and for a setting of an earlier version.
 */
export function readSettings(
  flags: GivenFlags,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  refuseRemoved(flags, environment)
  const isGiven = (name: string): boolean =>
    flags[name] !== undefined || environment[variableName(name)] !== undefined
  const values = settingNames().map((name) => {
    const flag = flags[name]
    if (flag !== undefined) return [name, parseSetting(name, String(flag), flagName(name))]
    const variable = environment[variableName(name)]
    return [name, parseSetting(name, variable ?? String(SETTINGS[name].default), variableName(name))]
  })
  const config = Object.fromEntries(values) as Config
  const shares = memoryShares(processMemory(config.memory, processCount(config.processes)))
  const followed = Object.entries(shares).filter(([name]) => !isGiven(name))
  return Object.freeze({ ...config, ...Object.fromEntries(followed) })
}

function refuseRemoved(flags: GivenFlags, environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, instead] of Object.entries(REMOVED_SETTINGS)) {
    const isFlag = flags[name] !== undefined
    if (!isFlag && environment[variableName(name)] === undefined) continue
    const origin = isFlag ? asFlag(name) : variableName(name)
    throw new SettingError(`${origin} is no setting any more: ${instead}. Remove it`)
  }
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
  const flag = asFlag(name)
  return SETTINGS[name].kind === 'boolean' && SETTINGS[name].default ? `--no-${flag.slice(2)}` : flag
}

const asFlag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** `drainTimeoutMs` in the environment: `PALIMPSEST_DRAIN_TIMEOUT_MS`. */
export function variableName(name: string): string {
  return `PALIMPSEST_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

/** The option of a setting, and the switch that turns it off. */
function optionsOf(name: SettingName): Option[] {
  const setting: Setting = SETTINGS[name]
  const option = optionOf(name)
  if (setting.kind !== 'choice' || setting.off === undefined) return [option]
  const off = new Option(`--no-${flagName(name).slice(2)}`, `the same as ${flagName(name)} ${setting.off}`)
  return [option, off.helpGroup(`${setting.group}:`)]
}

function optionOf(name: SettingName): Option {
  const setting: Setting = SETTINGS[name]
  const placeholder = setting.value === undefined ? '' : ` <${setting.value}>`
  const option = new Option(`${flagName(name)}${placeholder}`, setting.help).helpGroup(`${setting.group}:`)
  option.hideHelp(isExpert(name))
  // For help and completion alone: `readSettings` reads values, of variables too.
  if (setting.kind === 'choice') option.choices([...setting.values]).argParser((text) => text)
  // An option that may be repeated: its values become one list.
  if (setting.kind === 'wikis')
    option.argParser((text, before: unknown) => (typeof before === 'string' ? `${before},${text}` : text))
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

// What the memory of a server is for. At 1 GiB for each process:
//
//     process │ ready answers │ comparisons │ answers of slow clients │ threads for HTML
//       96    │     128       │     32      │          256            │   512 MiB

const MIB = 2 ** 20
const USUAL_BYTES = 2 ** 30
/** A render thread, or one for conversions, with the pages and modules at hand. */
const THREAD_BYTES = 200_000_000
/** As much as modules have on Wikipedia. More would not make a page that fails there right. */
const MOST_MODULE_BYTES = 50 * MIB

type Shares = Record<'hotAnswersBytes' | 'comparisonsBytes' | 'slowAnswersBytes' | 'luaMemoryBytes', number>

/** The settings that follow `--memory`, unless they are given themselves. */
function memoryShares(bytes: number): Shares {
  return {
    hotAnswersBytes: Math.floor(bytes / 8),
    comparisonsBytes: Math.floor(bytes / 32),
    slowAnswersBytes: Math.floor(bytes / 4),
    luaMemoryBytes: Math.min(MOST_MODULE_BYTES, Math.max(MIB, Math.floor(bytes / 16))),
  }
}

/** The value of `--memory`. */
type Memory = number | 'usual' | 'auto'

/** Bytes for each of the processes. */
export function processMemory(memory: Memory, processes: number, usable = usableMemory): number {
  if (memory === 'usual') return USUAL_BYTES
  return Math.floor((memory === 'auto' ? usable() / 2 : memory) / processes)
}

/** The most render threads of a process that fit into half of its memory, with half as many more for conversions. */
function mostRenderThreads(bytes: number): number {
  return Math.max(1, Math.floor(bytes / 2 / (1.5 * THREAD_BYTES)))
}
