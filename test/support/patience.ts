/** Limits of time for servers whose tests are not about them: out of reach, however busy the machine is. */
import { variableName } from '../../src/config/config.js'
import type { SettingName } from '../../src/config/settings.js'

const OUT_OF_REACH_MS = '3600000'

export const PATIENT = {
  taskTimeoutMs: OUT_OF_REACH_MS,
  writeTimeoutMs: OUT_OF_REACH_MS,
  renderTimeoutMs: OUT_OF_REACH_MS,
  convertTimeoutMs: OUT_OF_REACH_MS,
  thumbnailTimeoutMs: OUT_OF_REACH_MS,
} as const satisfies Partial<Record<SettingName, string>>

/** The same as variables of the environment, which flags override. */
export const PATIENT_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PATIENT).map(([name, value]) => [variableName(name as SettingName), value]),
)
