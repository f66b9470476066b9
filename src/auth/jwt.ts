/** JSON Web Tokens of one issuer: HS256 with a shared secret, or RS256 and ES256 with the issuer's key set. */
import type * as JosePackage from 'jose'
import type { JSONWebKeySet, JWTVerifyGetKey, jwtVerify } from 'jose'
import { type Config, SettingError } from '../config/config.js'
import { Refusal } from '../domain/refusal.js'
import { readSecret, readSettingFile } from './settingFiles.js'

const FETCH_TIMEOUT_MS = 5000
/** After a failed fetch of the keys, no fetch follows for this time. */
const RETRY_AFTER_MS = 5000
/** Allowed difference between the clocks of the issuer and this machine. */
const CLOCK_TOLERANCE_SECONDS = 5

type JwtSettings = Pick<Config, 'jwtIssuer' | 'jwtAudience' | 'jwtSecretFile' | 'jwtKeys' | 'jwtUserClaim'>

type Jose = typeof JosePackage

/** `jwtVerify` with either kind of key. */
type Verify = (token: string, options: Parameters<typeof jwtVerify>[2]) => ReturnType<typeof jwtVerify>

/** The issuer's keys cannot be fetched. */
class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError'
}

export class JwtVerifier {
  readonly #settings: JwtSettings
  readonly #algorithms: readonly string[]
  /** Only servers with these settings load the package: its 46 modules take 20 ms of the start. */
  readonly #jose: Promise<Jose>
  readonly #verify: Promise<Verify>

  private constructor(
    settings: JwtSettings,
    algorithms: readonly string[],
    verifyWith: (jose: Jose) => Verify,
  ) {
    this.#settings = settings
    this.#algorithms = algorithms
    this.#jose = import('jose')
    this.#verify = this.#jose.then(verifyWith)
  }

  /**
   * The verifier for these settings; undefined when all of them are empty. Reads the secret or the key file. Throws a
   * SettingError for incomplete settings, which might accept forged tokens.
   */
  static open(settings: JwtSettings): JwtVerifier | undefined {
    const { jwtIssuer, jwtAudience, jwtSecretFile, jwtKeys } = settings
    if (jwtIssuer === '' && jwtAudience === '' && jwtSecretFile === '' && jwtKeys === '') return undefined
    if (jwtIssuer === '' || jwtAudience === '' || (jwtSecretFile === '') === (jwtKeys === '')) {
      throw new SettingError(
        'jwtIssuer, jwtAudience and one of jwtSecretFile and jwtKeys belong together: set all three or none',
      )
    }
    if (jwtSecretFile !== '') {
      const secret = readSecret('jwtSecretFile', jwtSecretFile)
      return new JwtVerifier(settings, ['HS256'], ({ jwtVerify }) => {
        return (token, options) => jwtVerify(token, secret, options)
      })
    }
    const keysOf = /^https?:/.test(jwtKeys) ? remoteKeys(jwtKeys) : localKeys(jwtKeys)
    return new JwtVerifier(settings, ['RS256', 'ES256'], (jose) => {
      const keys = keysOf(jose)
      return (token, options) => jose.jwtVerify(token, keys, options)
    })
  }

  /**
   * The value of the claim that names the account. Throws rest-invalid-token, or rest-token-keys-unavailable when the
   * issuer's keys cannot be fetched.
   */
  async userOf(token: string, nowMs: number): Promise<string> {
    const { jwtIssuer, jwtAudience, jwtUserClaim } = this.#settings
    const { errors } = await this.#jose
    const verify = await this.#verify
    try {
      const { payload } = await verify(token, {
        issuer: jwtIssuer,
        audience: jwtAudience,
        algorithms: [...this.#algorithms],
        requiredClaims: ['exp', jwtUserClaim],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(nowMs),
      })
      const user = payload[jwtUserClaim]
      if (typeof user === 'string') return user
    } catch (error) {
      if (isKeyFault(error, errors)) throw new Refusal('rest-token-keys-unavailable', [], { cause: error })
      if (!(error instanceof errors.JOSEError)) throw error
    }
    throw new Refusal('rest-invalid-token')
  }
}

function isKeyFault(error: unknown, errors: Jose['errors']): boolean {
  return (
    error instanceof KeysUnavailableError ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
  )
}

/** Reads a key set at once, so that a wrong file stops the start. */
function localKeys(path: string): (jose: Jose) => JWTVerifyGetKey {
  const keys = readKeys(path)
  if (keys === undefined) throw new SettingError(`jwtKeys: ${path} holds no key set (JWKS)`)
  return ({ createLocalJWKSet }) => createLocalJWKSet(keys)
}

/** Undefined if the file has no key set. */
function readKeys(path: string): JSONWebKeySet | undefined {
  const text = readSettingFile('jwtKeys', path)
  const isObject = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  try {
    const parsed = JSON.parse(text) as JSONWebKeySet | null
    return Array.isArray(parsed?.keys) && parsed.keys.every(isObject) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Fetches keys on demand and keeps them for ten minutes. One fetch at a time, and none right after a failure. */
function remoteKeys(url: string): (jose: Jose) => JWTVerifyGetKey {
  if (!URL.canParse(url)) throw new SettingError(`jwtKeys: ${url} is no URL`)
  let failedMs = -RETRY_AFTER_MS
  const fetchKeys: typeof fetch = async (...request) => {
    if (performance.now() - failedMs < RETRY_AFTER_MS)
      throw new KeysUnavailableError('fetched in vain just now')
    try {
      return await fetch(...request)
    } catch (error) {
      failedMs = performance.now()
      throw new KeysUnavailableError(`cannot fetch ${url}`, { cause: error })
    }
  }
  return ({ createRemoteJWKSet, customFetch }) =>
    createRemoteJWKSet(new URL(url), { timeoutDuration: FETCH_TIMEOUT_MS, [customFetch]: fetchKeys })
}
