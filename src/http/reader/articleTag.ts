/** The entity tag of an article: a hash of what the page is made of, which is shorter than the page. */
import { createHash, hash } from 'node:crypto'
import type { Html } from '../../reader/html.js'
import { shell, type ShellView } from '../../reader/parts/shell.js'
import type { ReaderSite } from '../../reader/site.js'
import { productVersion } from '../../runtime/version.js'
import type { ReadyHtml } from '../views/html.js'
import type { Replacement } from './contentBytes.js'

const TAG_DIGITS = 32

/** What an article shows beside its HTML. */
export interface ShownArticle {
  readonly key: string
  /** Its name in reading form. */
  readonly name: string
  /** Path with query, as requested. */
  readonly path: string
  /** Parts of the shell that do not come from the HTML. */
  readonly view: Omit<ShellView, 'site' | 'title' | 'path'>
  /** Shown above the text. */
  readonly above?: Html | undefined
  /** Shown below the text. */
  readonly below?: Html | undefined
}

export interface ArticleSetting {
  /** `basis` of the page's languages. */
  readonly languages: string
  /** Header lines. */
  readonly policy: string
  readonly replacements: readonly Replacement[]
  /** Code of a variant, if the HTML is made for it. */
  readonly variant?: string | undefined
}

export function articleTag(
  { key, name, path, view, above, below }: ShownArticle,
  setting: ArticleSetting,
  { tag, outline }: Pick<ReadyHtml, 'tag' | 'outline'>,
  site: ReaderSite,
): string {
  const facts = [shellDigest(site), tag, key, name, path, view, above, below, setting]
  const digest = createHash('sha256').update(JSON.stringify(facts)).update(outline).digest('hex')
  return `"${digest.slice(0, TAG_DIGITS)}"`
}

const DIGESTS = new WeakMap<ReaderSite, string>()

/** Stands for the templates of this version of the program, and for the facts of the site. */
export function shellDigest(site: ReaderSite): string {
  const known =
    DIGESTS.get(site) ?? hash('sha256', JSON.stringify([productVersion(), samples(site).map(shell)]))
  DIGESTS.set(site, known)
  return known
}

/** Pages that have all parts of the shell between them. */
function samples(site: ReaderSite): ShellView[] {
  const [title, path] = ['Moon', '/wiki/Moon']
  const tab = { label: 'Page', href: path, isSelected: true }
  const full: ShellView = {
    site,
    title,
    path,
    isListed: true,
    description: 'A sphere',
    picture: 'https://moon.example/moon.jpg',
    tabs: [[tab, { ...tab, isSelected: false, isMissing: true }], [tab]],
    tools: [tab],
    editPath: path,
    notices: ['Redirected'],
    contents: [1, 2, 1].map((level) => ({ level, id: 'A', text: 'A' })),
    languages: ['de', 'fr'].map((code) => ({ code, name: code, href: 'https://moon.example/', title })),
    categories: [
      { name: 'Spheres', href: path },
      { name: 'Spheres', href: path, isMissing: true },
    ],
    lastChanged: 0,
    source: 'https://moon.example/wiki/Moon',
  }
  return [full, { site, title, path }]
}
