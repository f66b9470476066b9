/** Facts of the wiki and the server that every page for readers shows. */
import type { Direction } from '../domain/direction.js'
import type { LocalFormats } from '../domain/localFormats.js'
import type { Links } from './links.js'
import type { OwnWords } from './messages.js'

/** URLs of the files that every page loads. */
export interface AssetLinks {
  readonly style: string
  /** Runs before the first paint: it sets the colour theme. */
  readonly theme: string
  readonly script: string
  readonly icon: string
  /** Style sheet of the wiki's own. */
  readonly wiki?: string
}

export interface ReaderSite {
  readonly links: Links
  readonly name: string
  readonly language: string
  readonly direction: Direction
  /** The wiki's own words, in its language. Others are in English. */
  readonly words: OwnWords
  /** Of times and numbers. */
  readonly formats: LocalFormats
  readonly license: { readonly url: string; readonly title: string }
  /** URL of the wiki that this one copies; empty for a wiki of its own. */
  readonly source: string
  /** URL before the titles of that wiki, with a slash at the end. */
  readonly upstream?: string
  /** Absolute URL before `/wiki/…`, without a slash at the end; empty if the server does not know it. */
  readonly origin: string
  /** Path of the API, for scripts: `/w/rest.php/v1`. */
  readonly api: string
  /** Path of the page that describes the API. */
  readonly apiDocs: string
  readonly assets: AssetLinks
  /** Present if browsers may keep pages for reading without a network: paths of the worker and the app's manifest. */
  readonly offline?: { readonly worker: string; readonly manifest: string }
  /** Whether readers may change pages here. */
  readonly allowsEdits: boolean
  /** Absent where the wiki's language has no variants. */
  readonly variants?: SiteVariants
}

/** Variants of the wiki's language. */
export interface SiteVariants {
  /** Code of the one that is shown. */
  readonly chosen: string
  readonly all: readonly SiteVariant[]
  /** To pages for which the reader has chosen none. */
  readonly links: Links
}

export interface SiteVariant {
  readonly code: string
  /** As HTML names languages. */
  readonly tag: string
  /** The variant's own name. */
  readonly name: string
  /** Path below which all pages are in this variant, with a slash at the end. */
  readonly wiki: string
}
