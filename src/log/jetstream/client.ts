/** The packages of the NATS client. They are optional, and load when an operator chooses JetStream. */
import type * as JetStream from '@nats-io/jetstream'
import type * as Core from '@nats-io/transport-node'
import { UnusableEngineError } from '../logEngine.js'

export interface Client {
  readonly core: typeof Core
  readonly jetStream: typeof JetStream
}

/** The versions of package.json. A test compares them. */
export const INSTALL_COMMAND = 'npm install --no-save @nats-io/transport-node@3.4.0 @nats-io/jetstream@3.4.0'

export async function loadClient(): Promise<Client> {
  try {
    const [core, jetStream] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
    ])
    return { core, jetStream }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UnusableEngineError(`the packages for NATS are not installed: run \`${INSTALL_COMMAND}\``, {
      cause: error,
    })
  }
}
