/** What nodes of a cluster ask each other. Who sends the secret of the cluster may ask. */
import { type FileHandle, open } from 'node:fs/promises'
import { makeCopy, removeDeadCopies } from '../../cluster/copies.js'
import { isSha256 } from '../../domain/file.js'
import { originalPath } from '../../files/originals.js'
import { productVersion } from '../../runtime/version.js'
import { integer, object, orNull, text as textSchema } from '../openapi/schemas.js'
import { HttpError } from '../reply/errors.js'
import { headerLines, type Reply } from '../reply/reply.js'
import { integerBetween, text } from '../request/params.js'
import type { RequestView } from '../request/requestView.js'
import { defineRoute, type HttpContext } from '../routing/route.js'

const NO_STORE = { 'Cache-Control': 'no-store' }
const BYTES_TYPE = 'application/octet-stream'

const STATUS = object({
  version: textSchema('of the program'),
  store: textSchema('id of the store: copies have the same'),
  epoch: orNull(textSchema('name of the shared log; null: the store has its own log')),
  position: integer('of the last entry that the node has applied'),
  digest: textSchema('of the log up to there'),
  first: integer('position of the oldest entry that the node still has'),
  at: orNull(textSchema('digest of the log at the position that was asked for; null: no longer known')),
  state: orNull(textSchema('as in `/readyz`')),
  reason: orNull(textSchema('as in `/readyz`')),
  last: orNull(integer('position of the last entry of the log, as far as known')),
})

/** Tells where the node stands in the log. */
export const getClusterStatus = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/cluster/status',
  doc: {
    id: 'getClusterStatus',
    tag: 'Server',
    summary: 'Ask a node where it stands in the log of its cluster',
    description:
      'For `palimpsest cluster`. Without the secret of the cluster as bearer token there is no such path.',
    answer: { description: 'Its position, and the digest that proves it', schema: STATUS },
    errors: ['rest-no-match'],
  },
  query: { at: integerBetween(0, Number.MAX_SAFE_INTEGER, 0, 'position whose digest to tell; 0: none') },
  handler({ request, query }, context) {
    requireSecret(request, context, '/cluster/status')
    const { store, writer } = context
    const { sequence, digest } = store.position()
    const { state = null, reason = null, last = null } = writer.clusterStatus() ?? {}
    const body = {
      version: productVersion(),
      store: store.storeId,
      epoch: store.log.membership()?.epoch ?? null,
      position: sequence,
      digest,
      first: store.log.bounds().first,
      at: query.at === 0 ? null : (store.log.digestAt(query.at) ?? null),
      state,
      reason: reason ?? null,
      last,
    }
    const headers = headerLines({ 'Content-Type': 'application/json', ...NO_STORE })
    return { status: 200, headers, body: Buffer.from(JSON.stringify(body)) }
  },
})

/** Sends a copy of the store, as of one moment. */
export const getClusterCopy = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/cluster/copy',
  doc: {
    id: 'getClusterCopy',
    tag: 'Server',
    summary: 'Copy the store of a node',
    description:
      "For `palimpsest cluster join`. The answer is the store's file, compacted, with accounts and hashes of passwords. Without the secret of the cluster as bearer token there is no such path.",
    answer: { description: "The store's file", type: BYTES_TYPE },
    errors: ['rest-no-match', 'rest-server-busy'],
  },
  async handler({ request }, context) {
    requireSecret(request, context, '/cluster/copy')
    if (isCopying) throw new HttpError('rest-server-busy', [], { headers: { 'Retry-After': '10' } })
    isCopying = true
    const { store, config } = context
    try {
      await removeDeadCopies(config.dataDir, context.clock.nowMs())
      return await wholeFile(await makeCopy(store, config.dataDir))
    } finally {
      isCopying = false
    }
  },
})

/** A copy takes as much room on the disk as the store: one at a time. */
let isCopying = false

/** Sends the contents of a file of the wiki. */
export const getClusterContents = defineRoute({
  method: 'GET',
  root: 'server',
  path: '/cluster/contents/{sha256}',
  doc: {
    id: 'getClusterContents',
    tag: 'Server',
    summary: 'Read the contents of a file by their hash',
    description:
      'For other nodes of the cluster. Without the secret of the cluster as bearer token there is no such path.',
    answer: { description: 'The contents', type: BYTES_TYPE },
    errors: ['rest-no-match'],
  },
  params: { sha256: text('SHA-256 of the contents, in hex') },
  async handler({ request, params: { sha256 } }, context) {
    const path = `/cluster/contents/${sha256}`
    requireSecret(request, context, path)
    if (!isSha256(sha256)) throw new HttpError('rest-no-match', [path])
    try {
      return await wholeFile(await open(originalPath(context.config.dataDir, sha256)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new HttpError('rest-no-match', [path])
      throw error
    }
  },
})

function requireSecret(request: RequestView, { clusterSecret }: HttpContext, path: string): void {
  if (clusterSecret?.isIn(request.header('authorization')) !== true)
    throw new HttpError('rest-no-match', [path])
}

async function wholeFile(file: FileHandle): Promise<Reply> {
  const { size } = await file.stat()
  const headers = headerLines({ 'Content-Type': BYTES_TYPE, ...NO_STORE })
  return { status: 200, headers, body: { file, start: 0, length: size } }
}
