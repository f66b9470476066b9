/** The secret that the nodes of a cluster share. Who sends it as a bearer token may copy the store. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config/config.js'
import { readSecret } from './settingFiles.js'

export class ClusterSecret {
  readonly #hash: Buffer

  constructor(secret: string | Buffer) {
    this.#hash = hashOf(secret)
  }

  /** Undefined without the setting. Throws a SettingError for a file that has no secret. */
  static open({ clusterTokenFile }: Pick<Config, 'clusterTokenFile'>): ClusterSecret | undefined {
    if (clusterTokenFile === '') return undefined
    return new ClusterSecret(readSecret('clusterTokenFile', clusterTokenFile))
  }

  /** `authorization`: the header. */
  isIn(authorization: string): boolean {
    const [, token] = /^Bearer (.+)$/i.exec(authorization) ?? []
    return token !== undefined && timingSafeEqual(hashOf(token), this.#hash)
  }
}

const hashOf = (secret: string | Buffer): Buffer => createHash('sha256').update(secret).digest()
