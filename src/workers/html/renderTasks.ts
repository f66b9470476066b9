/** What render threads are asked to do, and what comes back. */
import type { FileUrlSettings } from '../../files/fileUrls.js'
import type { LuaSettings } from './luaThread.js'
import type { Rendering } from '../../storage/renderings.js'

/** Settings of a server that show in HTML: where its files are, and whether modules run. */
export interface RenderSettings extends FileUrlSettings, LuaSettings {
  /** Of the API, without `/v1`; its base path alone where no public URL is set. */
  readonly baseUrl: string
  readonly maxImagePixels: number
}

/** Settings of a render thread. */
export interface RenderStart {
  readonly dataDir: string
  readonly renderSettings: RenderSettings
  /** Steps that it stands back behind the event loop. */
  readonly niceness: number
}

export type RenderJob =
  /** The HTML of a stored revision, to be kept. */
  | { readonly task: 'page'; readonly revisionId: number; readonly nowMs: number }
  /** The HTML of a stored revision with `data-parsoid` attributes, for clients that send it back without a bundle. */
  | { readonly task: 'editable'; readonly revisionId: number; readonly nowMs: number }
  /** HTML of a text that is not stored, as of the page `title` (in reading form), which need not exist. */
  | {
      readonly task: 'toHtml'
      readonly wikitext: string
      readonly title: string
      readonly bodyOnly: boolean
      readonly nowMs: number
    }
  /** Wikitext for HTML; unchanged parts are taken from the revision that it was made from, where one is given. */
  | {
      readonly task: 'toWikitext'
      readonly html: string
      readonly title: string
      readonly revisionId: number | undefined
      readonly nowMs: number
    }

export type RenderResult =
  | { readonly result: 'rendering'; readonly rendering: Rendering }
  | { readonly result: 'text'; readonly bytes: Uint8Array }
  /** The revision is not there, or its text is hidden. */
  | { readonly result: 'missing' }
  /** The text is more than the engine can do; `reason` says in what. */
  | { readonly result: 'limit'; readonly reason: string }
  /** The engine failed on it. */
  | { readonly result: 'failed'; readonly reason: string }

/** What a thread says first: it has loaded its native code. */
export interface StoreOpened {
  readonly opened: true
}

/** What a thread says when it can take its first job. */
export interface RenderReady {
  readonly ready: true
  /** By which the system knows it; undefined where that is not to be had. */
  readonly threadNumber: number | undefined
}

export interface RenderAnswer {
  readonly outcome: RenderResult
  /** Memory that the thread's objects take, in bytes: a thread that has grown is replaced. */
  readonly heapBytes: number
}
