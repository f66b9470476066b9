/** Files that settings name. */
import { readFileSync } from 'node:fs'
import { SettingError } from '../config/config.js'

const MIN_SECRET_BYTES = 32

/** Throws a SettingError if the file cannot be read. */
export function readSettingFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new SettingError(`${setting}: ${path} cannot be read`, { cause: error })
  }
}

/** A secret without the line break at its end. Throws a SettingError if it is too short. */
export function readSecret(setting: string, path: string): Buffer {
  const secret = Buffer.from(readSettingFile(setting, path).replace(/\r?\n$/, ''))
  if (secret.length >= MIN_SECRET_BYTES) return secret
  throw new SettingError(`${setting}: the secret in ${path} has less than ${MIN_SECRET_BYTES} bytes`)
}
