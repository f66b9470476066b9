/** Files of the wiki: their facts, and with `--files contents` their contents. */
import type { FileFacts } from '../domain/file.js'
import type { UpstreamFile } from '../domain/upstream.js'
import { FileTooLargeError, type Originals, type Received, type Receiver } from '../files/originals.js'
import type { MirrorReader } from '../storage/upstream/mirrorReader.js'
import type { StatedFile } from './api/answers.js'
import { AnswerTooLarge, FileRefused } from './api/faults.js'
import type { Upstream } from './api/upstream.js'
import type { FilePlan } from './plan.js'

/** Where contents of files go. */
export interface Contents {
  readonly originals: Originals
  readonly maxFileBytes: number
}

/** What fetches texts and contents. */
export interface FetchTools {
  readonly upstream: Upstream
  readonly mirror: MirrorReader
  /** Undefined: contents of files are not wanted, and the store keeps those that it has. */
  readonly contents: Contents | undefined
}

/** Contents that the wiki does not send, or that are others, are named and left out. */
export async function stateOfFile(
  { dbkey, file }: FilePlan,
  { upstream, mirror, contents }: FetchTools,
): Promise<UpstreamFile> {
  if (file === null) return { dbkey, facts: null }
  if (contents === undefined) return { dbkey, facts: file.facts }
  const known = mirror.file(dbkey)
  if (known !== undefined && known.sha256 !== null && known.sha1 === file.facts.sha1)
    return { dbkey, facts: { ...file.facts, sha256: known.sha256 } }
  const received = await receive(file, upstream, contents)
  if (received === undefined) return { dbkey, facts: file.facts }
  contents.originals.keep(received)
  const facts: FileFacts = { ...file.facts, sha256: received.sha256, sizeBytes: received.sizeBytes }
  return { dbkey, facts }
}

/** Undefined if the contents are not those that the wiki states. */
async function receive(
  { dbkey, facts, url }: StatedFile,
  upstream: Upstream,
  { originals, maxFileBytes }: Contents,
): Promise<Received | undefined> {
  const leaveOut = (reason: string): undefined => {
    upstream.omit(`contents of ${dbkey}: ${reason}`)
  }
  if (facts.sizeBytes > maxFileBytes) return leaveOut(`they are larger than ${maxFileBytes} bytes`)
  const address = addressOf(url)
  if (address === undefined) return leaveOut('their address is no http or https URL')
  let receiver: Receiver | undefined
  try {
    await upstream.client.read(address, maxFileBytes, () => {
      receiver?.discard()
      const fresh = (receiver = originals.receive(maxFileBytes))
      return (bytes) => fresh.write(bytes)
    })
  } catch (error) {
    receiver?.discard()
    if (!isAboutFile(error)) throw error
    return leaveOut(error.message)
  }
  const received = receiver!.finish()
  if (received.sha1 === facts.sha1) return received
  originals.discard(received)
  return leaveOut('their SHA-1 differs from the one stated')
}

const isAboutFile = (error: unknown): error is Error =>
  error instanceof FileTooLargeError || error instanceof AnswerTooLarge || error instanceof FileRefused

/** Some wikis state addresses without a scheme. */
function addressOf(url: string): string | undefined {
  const whole = url.startsWith('//') ? `https:${url}` : url
  return URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol) ? whole : undefined
}
