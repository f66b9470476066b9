/** Types of build.mjs for the tests that check the sample wiki. */

export interface SampleSite {
  readonly language: string
  readonly siteinfo: Readonly<Record<'sitename' | 'dbname' | 'base' | 'generator' | 'case', string>>
  /** Local names by namespace number. */
  readonly namespaces: Readonly<Record<string, string>>
  /** Ids of the registered editors by name. */
  readonly editors: Readonly<Record<string, number>>
}

export interface SampleRevision {
  readonly id: number
  /** Null for the first revision of a page. */
  readonly parentId: number | null
  /** ISO 8601, UTC, whole seconds. */
  readonly timestamp: string
  readonly editor: string
  /** Null for an anonymous editor, whose name is the address. */
  readonly editorId: number | null
  readonly comment: string
  readonly minor: boolean
  readonly hidden: readonly ('text' | 'editor' | 'comment')[]
  readonly text: string
}

export interface SamplePage {
  readonly id: number
  /** Full title in reading form. */
  readonly title: string
  readonly namespace: number
  readonly model: 'wikitext' | 'css' | 'json' | 'Scribunto'
  /** Target of a redirect in reading form, without a section. */
  readonly redirectTarget: string | null
  /** Oldest first. */
  readonly revisions: readonly SampleRevision[]
}

export const DUMP_PATH: string
export function loadSite(): SampleSite
export function loadPages(site: SampleSite): SamplePage[]
export function buildDump(): string
