/** Facts of every wiki of this server that clients ask `siteinfo` for. */
import { EXTENSION_TAG_FACTS } from '../../domain/extensionTags.js'

export const FILE_EXTENSIONS = ['png', 'gif', 'jpg', 'jpeg', 'webp'] as const
export const THUMBNAIL_LIMITS = [120, 150, 180, 200, 250, 300] as const
export const IMAGE_LIMITS = [
  [320, 240],
  [640, 480],
  [800, 600],
  [1024, 768],
  [1280, 1024],
  [2560, 2048],
] as const
/** Namespaces whose titles have no subpages. */
export const NO_SUBPAGES: ReadonlySet<number> = new Set([-2, -1, 0, 6, 14, 100, 101, 2300, 2301, 2302, 2303])

export const extensionTags = (): readonly string[] => [...EXTENSION_TAG_FACTS.keys()]

/** What MediaWiki and its usual extensions say of namespaces. */
export const NAMESPACE_FACTS: Readonly<Partial<Record<number, Readonly<Record<string, string>>>>> = {
  8: { namespaceprotection: 'editinterface' },
  2300: { namespaceprotection: 'gadgets-edit' },
  2302: { namespaceprotection: 'gadgets-definition-edit', defaultcontentmodel: 'GadgetDefinition' },
}

/** Texts of MediaWiki that clients ask for. A page of the namespace MediaWiki may replace each. */
export const MESSAGES: Readonly<Record<string, string>> = {
  and: ' and',
  'comma-separator': ', ',
  'colon-separator': ': ',
  'word-separator': ' ',
  mainpage: 'Main Page',
  'mainpage-description': 'Main page',
  'mainpage-nstab': 'Main page',
  'mainpage-title': '-',
  'mainpage-title-loggedin': '-',
  sitesubtitle: '',
  tagline: 'From {{SITENAME}}',
  'tooltip-ca-edit': 'Edit this page',
}
