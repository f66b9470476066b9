/** Jobs for render threads, and their answers; settings that affect HTML. */
import type { FileUrlSettings } from '../../files/fileUrls.js'
import type { LuaSettings } from './luaThread.js'
import type { ThreadPlace } from '../hosting/openWikis.js'
import type { Rendering } from '../../storage/html/renderings.js'

/** Settings of a server that affect HTML: addresses of files, and the execution of modules. */
export interface RenderSettings extends FileUrlSettings, LuaSettings {
  /** Address of the API without `/v1`; only its base path if no public URL is set. */
  readonly baseUrl: string
}

/** A wiki, as threads that read its pages as they are shown open it. */
export interface RenderWiki extends ThreadPlace {
  readonly renderSettings: RenderSettings
}

/** Settings of a render thread. */
export interface RenderStart {
  /** The wikis of the server. Jobs name one by its number in this list. */
  readonly wikis: readonly RenderWiki[]
  /** Nice value of the thread. */
  readonly niceness: number
  /** Memory of the `ModuleBlocks` and of the `RunningModule` of the thread. */
  readonly moduleBlocks: SharedArrayBuffer
  readonly runningModule: SharedArrayBuffer
}

export type RenderJob =
  /** HTML of a stored revision, for the store to keep. */
  | { readonly task: 'page'; readonly revisionId: number; readonly nowMs: number }
  /** HTML of a stored revision with `data-parsoid` attributes, for clients that send it back without a bundle. */
  | { readonly task: 'editable'; readonly revisionId: number; readonly nowMs: number }
  /** HTML of a text that is not stored, as if it were the page `title` (in reading form), which need not exist. */
  | {
      readonly task: 'toHtml'
      readonly wikitext: string
      readonly title: string
      readonly bodyOnly: boolean
      readonly nowMs: number
    }
  /** A text with its templates expanded, as the JSON of `ExpandedWikitext`: as that revision, or as a page `title`. */
  | {
      readonly task: 'expand'
      readonly wikitext: string
      readonly title: string
      readonly revisionId: number | undefined
      readonly nowMs: number
    }
  /** Wikitext for HTML. If the HTML was made from a given revision, unchanged parts are copied from that revision. */
  | {
      readonly task: 'toWikitext'
      readonly html: string
      readonly title: string
      readonly revisionId: number | undefined
      readonly nowMs: number
    }

export interface ExpandedWikitext {
  readonly wikitext: string
  /** Tracking categories of faults, in reading form. */
  readonly categories: readonly string[]
  /** How long the text is the same while the wiki is; undefined: always. */
  readonly lifetimeSeconds?: number
}

/** A job as it reaches a thread. */
export type ThreadJob = RenderJob & { readonly wiki: number }

export type RenderResult =
  | { readonly result: 'rendering'; readonly rendering: Rendering }
  | { readonly result: 'text'; readonly bytes: Uint8Array }
  /** The revision does not exist, or its text is hidden. */
  | { readonly result: 'missing' }
  /** The HTML came from another server and was changed, so the engine here cannot convert it. */
  | { readonly result: 'imported' }
  /** The text exceeds a limit of the engine, which `reason` names. */
  | { readonly result: 'limit'; readonly reason: string }
  /** The engine failed on the text. */
  | { readonly result: 'failed'; readonly reason: string }

/** First message of a thread: it has loaded its native code. */
export interface StoreOpened {
  readonly opened: true
}

/** Message of a thread that is ready for its first job. */
export interface RenderReady {
  readonly ready: true
  /** The system's id of the thread; undefined if it provides none. */
  readonly threadNumber: number | undefined
}

export interface RenderAnswer {
  readonly outcome: RenderResult
  /** Size of the thread's heap in bytes. A thread that has grown too large is replaced. */
  readonly heapBytes: number
}

/** A server's settings, as its configuration has them. */
export interface ServerSettings extends Omit<RenderSettings, 'baseUrl'> {
  readonly publicUrl: string
  readonly basePath: string
}

/**
 * Settings of rendering. Stored HTML contains file URLs, so these cannot depend on the host name that a client uses.
 */
export function renderSettings(config: ServerSettings): RenderSettings {
  const { mediaUrl, remoteFileUrl, remoteThumbnailUrl, wikiFileUrl, wikiThumbnailUrl } = config
  const { fileDescriptionUrl } = config
  // Our own HTML does not depend on other HTML.
  const html = config.html === 'none' ? 'none' : 'here'
  const { lua, luaTimeMs, luaMemoryBytes } = config
  const baseUrl = config.publicUrl === '' ? config.basePath : config.publicUrl
  return {
    ...{ mediaUrl, remoteFileUrl, remoteThumbnailUrl, wikiFileUrl, wikiThumbnailUrl },
    ...{ fileDescriptionUrl, html, baseUrl },
    ...{ lua, luaTimeMs, luaMemoryBytes },
  }
}
