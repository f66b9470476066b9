/** Changes as they happen, as server-sent events in the form of Wikimedia's EventStreams. */
import { hash } from 'node:crypto'
import { formatTimestamp, toSeconds } from '../../domain/timestamp.js'
import { prefixedKey, prefixedText, type Title } from '../../domain/title.js'
import type { NewChange } from '../../storage/upstream/newChanges.js'
import { PoolFullError } from '../../workers/hosting/poolErrors.js'
import { addressesOf } from '../actionApi/addresses.js'
import { shaped } from '../actionApi/frame/values.js'
import { changeIds } from '../actionApi/query/changeRows.js'
import { MIRRORED } from '../actionApi/query/list/recentchanges.js'
import { paramFields } from '../actionApi/query/logFields.js'
import { parsedComment, shownOf } from '../actionApi/revisionFields.js'
import { POOL_ERRORS } from '../reply/errors.js'
import { headerLines } from '../reply/reply.js'
import { defineRoute, type HttpContext } from '../routing/route.js'

const TOPIC = 'mediawiki.recentchange'
const HEADERS = headerLines({
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store',
  // nginx would gather events.
  'X-Accel-Buffering': 'no',
})

export const getChangeStream = defineRoute({
  method: 'GET',
  root: 'top',
  path: '/v2/stream/recentchange',
  doc: {
    id: 'getRecentChangeStream',
    tag: 'History',
    summary: 'Hear of changes as they happen',
    description:
      "Server-sent events in the form of Wikimedia's EventStreams, schema `mediawiki/recentchange` 1.0.0. A stream begins with the next change, whatever `since` or `Last-Event-ID` say: `list=recentchanges` of the action API has earlier ones. A comment every five seconds shows that the server is there. A client that does not keep up loses its connection.",
    answer: { description: 'Events without end', type: 'text/event-stream', schema: { type: 'string' } },
    conditions: 'none',
    errors: POOL_ERRORS,
  },
  handler({ request }, context) {
    if (context.server.isDraining()) throw new PoolFullError('the server stops')
    const describe = (change: NewChange, baseUrl: string): string | undefined =>
      messageOf(change, new EventMaker(context, baseUrl))
    return { status: 200, headers: HEADERS, body: context.changeStreams.open(request.baseUrl(), describe) }
  },
})

type Event = Readonly<Record<string, unknown>>

function messageOf(change: NewChange, maker: EventMaker): string | undefined {
  const event = maker.eventOf(change)
  if (event === undefined) return undefined
  const id = JSON.stringify([{ topic: TOPIC, partition: 0, offset: change.sequence }])
  return `event: message\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Words changes for clients who see the wiki under one address. */
class EventMaker {
  readonly #context: HttpContext
  readonly #call: Parameters<typeof parsedComment>[2]
  readonly #addresses: ReturnType<typeof addressesOf>

  constructor(context: HttpContext, baseUrl: string) {
    this.#context = context
    this.#call = { baseUrl, context, wiki: { namespaces: context.store.namespaces() } }
    this.#addresses = addressesOf({ baseUrl, context })
  }

  eventOf(change: NewChange): Event | undefined {
    if (change.kind === 'revision') return this.#ofRevision(change, change.revisionId)
    return change.kind === 'event' ? this.#ofLogEvent(change, change.eventId) : this.#ofMirror(change, change)
  }

  #ofRevision(change: NewChange, revisionId: number): Event | undefined {
    const { store } = this.#context
    const revision = store.getRevision(revisionId)
    const page = revision && store.getPageById(revision.pageId)
    if (revision === undefined || page === undefined) return undefined
    const { parentId, timestamp, sizeBytes, minor, bot } = revision
    const before = parentId === 0 ? undefined : store.getRevision(parentId)
    const { server, scriptPath } = this.#addresses
    const isNew = parentId === 0
    const oldid = isNew ? `oldid=${revisionId}` : `diff=${revisionId}&oldid=${parentId}`
    const { user, comment } = shownOf(revision)
    return {
      ...this.#head(change, page, timestamp),
      id: changeIds.revision(revisionId),
      type: isNew ? 'new' : 'edit',
      ...this.#subject(page, comment),
      timestamp,
      user: user?.name ?? '',
      bot,
      notify_url: `${server}${scriptPath}/index.php?${oldid}`,
      minor,
      patrolled: true,
      length: { ...(!isNew && { old: before?.sizeBytes ?? null }), new: sizeBytes ?? null },
      revision: { ...(!isNew && { old: parentId }), new: revisionId },
      ...this.#wikiFields(page, comment),
    }
  }

  #ofLogEvent(change: NewChange, eventId: number): Event | undefined {
    const { store } = this.#context
    const event = store.logEvents.get(eventId)
    // Nothing is said of an entry whose title is hidden.
    if (event?.title === undefined) return undefined
    const { title, timestamp, type, action, performer, comment } = event
    return {
      ...this.#head(change, title, timestamp),
      id: changeIds.event(eventId),
      type: 'log',
      ...this.#subject(title, comment),
      timestamp,
      user: performer?.name ?? '',
      bot: performer !== undefined && store.site().bots.includes(performer.name),
      log_id: eventId,
      log_type: type,
      log_action: action,
      log_params: shaped(paramFields(event, this.#call), 2),
      log_action_comment: comment ?? '',
      ...this.#wikiFields(title, comment),
    }
  }

  /** A mirror knows where to look, and not who did what. */
  #ofMirror(change: NewChange, { change: what }: Extract<NewChange, { kind: 'mirror' }>): Event {
    const { store, clock } = this.#context
    const page = 'pageId' in what ? store.getPageById(what.pageId) : undefined
    const title = 'title' in what ? what.title : page
    const timestamp = toSeconds(clock.nowMs())
    const [type, action] = MIRRORED[what.kind]
    return {
      ...this.#head(change, title, timestamp),
      id: null,
      type: 'log',
      ...this.#subject(title, ''),
      timestamp,
      user: '',
      bot: false,
      log_id: 0,
      log_type: type,
      log_action: action,
      log_params: {},
      log_action_comment: '',
      ...this.#wikiFields(title, ''),
    }
  }

  #head(change: NewChange, title: Title | undefined, timestamp: number): Event {
    const { entryId, sequence } = change
    // The same in all processes and on all machines of the wiki.
    const id = hash('sha256', JSON.stringify(change))
    return {
      $schema: '/mediawiki/recentchange/1.0.0',
      meta: {
        uri: this.#urlOf(title),
        request_id: uuidOf(entryId),
        id: uuidOf(id),
        dt: formatTimestamp(timestamp),
        domain: this.#host(),
        stream: TOPIC,
        topic: TOPIC,
        partition: 0,
        offset: sequence,
      },
    }
  }

  #subject(title: Title | undefined, comment: string | undefined): Event {
    const { namespaces } = this.#call.wiki
    return {
      namespace: title?.namespace ?? 0,
      title: title === undefined ? '' : prefixedText(title, namespaces),
      title_url: this.#urlOf(title),
      comment: comment ?? '',
    }
  }

  #wikiFields(title: Title | undefined, comment: string | undefined): Event {
    const { server, scriptPath } = this.#addresses
    return {
      server_url: server,
      server_name: this.#host(),
      server_script_path: scriptPath,
      wiki: this.#context.store.site().wikiId,
      parsedcomment: parsedComment(comment ?? '', title, this.#call),
    }
  }

  #urlOf(title: Title | undefined): string {
    const key = title === undefined ? '' : prefixedKey(title, this.#call.wiki.namespaces)
    return this.#addresses.url(key)
  }

  /** Followers compare it with the host of the wiki that they follow. */
  #host(): string {
    return new URL(this.#addresses.server).hostname
  }
}

/** The first 32 of some hexadecimal digits as a UUID. */
const uuidOf = (digits: string): string =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join('-')
