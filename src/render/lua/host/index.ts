/** All functions of this program that Lua can call. Lua sees their names and calls them by number. */
import type { HostFunction, HostTable, RawFunction } from './arguments.js'
import { FRAME_FUNCTIONS } from './frames.js'
import { HASH_FUNCTIONS } from './hash.js'
import { JSON_FUNCTIONS } from './json.js'
import { LANGUAGE_FUNCTIONS } from './language.js'
import { MESSAGE_FUNCTIONS, TEXT_FUNCTIONS } from './text.js'
import { MODULE_FUNCTIONS } from './modules.js'
import { NUMBER_FUNCTIONS } from './numbers.js'
import { SITE_FUNCTIONS } from './site.js'
import { TIME_FUNCTIONS } from './time.js'
import { TITLE_FUNCTIONS } from './titles.js'
import { USTRING_FUNCTIONS } from './ustring.js'

export interface HostOperation {
  readonly name: string
  /** The machine call that runs it. */
  readonly call: number
  readonly run: HostFunction | RawFunction
}

export const VALUE_CALL = 0
export const RAW_CALL = 1

const TABLES: readonly HostTable[] = [
  FRAME_FUNCTIONS,
  HASH_FUNCTIONS,
  JSON_FUNCTIONS,
  LANGUAGE_FUNCTIONS,
  MESSAGE_FUNCTIONS,
  MODULE_FUNCTIONS,
  NUMBER_FUNCTIONS,
  SITE_FUNCTIONS,
  TEXT_FUNCTIONS,
  TIME_FUNCTIONS,
  TITLE_FUNCTIONS,
  USTRING_FUNCTIONS,
]

export const HOST: readonly HostOperation[] = TABLES.flatMap(({ values, raw }) => [
  ...Object.entries(values ?? {}).map(([name, run]) => ({ name, call: VALUE_CALL, run })),
  ...Object.entries(raw ?? {}).map(([name, run]) => ({ name, call: RAW_CALL, run })),
])
