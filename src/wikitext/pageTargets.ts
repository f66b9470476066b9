/** What the wikitext of a page leads to: pages, templates, files, and addresses elsewhere. */
import { languageName } from '../domain/languageNames.js'
import { CATEGORY, FILE, MAIN, MEDIA, MODULE, TEMPLATE } from '../domain/namespaceIds.js'
import { decodePercent } from '../domain/percent.js'
import { isPlain } from '../domain/plainTitle.js'
import { parseForeignTitle, parseTitle, type Title } from '../domain/title.js'
import { externalUrls, isAddress } from './externalLinks.js'
import type { LinkRules } from './languageLinks.js'
import { listedNames } from './mediaLinks.js'
import { visibleWikitext } from './visibleText.js'

/**
 * The kinds of targets, in the order of their numbers in keys. Language links are not among them: old texts have up to
 * hundreds each, which would take more room than all others.
 */
export const LINK_KINDS = ['link', 'template', 'file', 'redirect', 'external', 'interwiki'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** Targets of a page, in order, each once. */
export type TargetLists = Readonly<Record<LinkKind, readonly string[]>>

/** Further targets of a kind do not count. */
export const MAX_TARGETS = 10_000
/** Links and calls to look at. A hostile text may have very many that name the same. */
const MAX_LOOKS = 50_000
/** Between the prefix of a wiki or language and the title there. It sorts below all signs of prefixes. */
const PREFIX_END = '\t'

/** Every repetition excludes brackets and braces, or is short: a text of brackets alone takes linear time. */
const LINK_TARGET = /([^[\]|{}<>\n]{1,1000})(?:\||\]\])/y
/** The name of a template may stand on a line of its own. */
const CALL_NAME = /\s{0,20}([^[\]|{}<>\n]{1,300})(?=\||\}\}|\n)/y
const INVOKE = /^\s*#invoke:\s*(.+)$/is
const MODIFIER = /^\s*(?:safesubst|subst|msg|msgnw|raw):/i

/**
 * One text for a target: its namespace plus 2 as a letter, then its name. The name of a page is its dbkey, of an
 * address the address. Of a title in another wiki it is the prefix, a tab and the title. A redirect there has the
 * title, a tab and the prefix.
 */
export const targetOf = (namespace: number, name: string): string => String.fromCharCode(namespace + 2) + name
export const namespaceIn = (target: string): number => target.charCodeAt(0) - 2
export const nameIn = (target: string): string => target.slice(1)

/** The page whose text is read. */
export interface SourceOfTargets extends Title {
  /** Target in reading form if it is a redirect. */
  readonly redirectTarget: string | undefined
  /** Empty if it is hidden or no wikitext. */
  readonly wikitext: string
}

/**
 * Targets that a wikitext names itself. Those that its templates add are not included. Reads each text once, in linear
 * time.
 */
export function pageTargets(page: SourceOfTargets, rules: LinkRules): TargetLists {
  const found = new Targets(page, rules)
  if (page.redirectTarget !== undefined) found.addRedirect(page.redirectTarget)
  if (page.wikitext !== '') found.readText(visibleWikitext(page.wikitext))
  return found.lists()
}

type TargetSets = Readonly<Record<LinkKind, Set<string>>>

/** Collects targets, by kind. */
export class Targets {
  readonly #page: Title
  readonly #rules: LinkRules
  readonly #sets: TargetSets

  constructor(page: Title, rules: LinkRules) {
    this.#page = page
    this.#rules = rules
    this.#sets = Object.fromEntries(LINK_KINDS.map((kind) => [kind, new Set<string>()])) as TargetSets
  }

  lists(): TargetLists {
    return Object.fromEntries(
      LINK_KINDS.map((kind) => [kind, [...this.#sets[kind]].sort()]),
    ) as unknown as TargetLists
  }

  add(kind: LinkKind, namespace: number, name: string): void {
    const set = this.#sets[kind]
    if (set.size < MAX_TARGETS) set.add(targetOf(namespace, name))
  }

  readText(visible: string): void {
    this.#readLinks(visible)
    this.#readCalls(visible)
    for (const name of listedNames(visible, this.#rules.namespaces)) this.add('file', FILE, name)
    for (const url of externalUrls(visible, MAX_LOOKS)) this.add('external', MAIN, url)
  }

  addAddress(url: string): void {
    if (isAddress(url)) this.add('external', MAIN, url)
  }

  /** A redirect is a link, too. */
  addRedirect(target: string): void {
    const { namespaces, interwiki } = this.#rules
    const parsed = parseTitle(target, namespaces, (prefix) => interwiki.has(prefix))
    if (!parsed.ok) {
      const away = parseForeignTitle(target, namespaces, (prefix) => interwiki.has(prefix))
      if (away === undefined) return
      this.add('redirect', MAIN, `${away.rest}${PREFIX_END}${away.prefix}`)
      this.add('interwiki', MAIN, `${away.prefix}${PREFIX_END}${away.rest}`)
    } else if (parsed.title.namespace >= 0) {
      this.add('redirect', parsed.title.namespace, parsed.title.dbkey)
      this.add('link', parsed.title.namespace, parsed.title.dbkey)
    }
  }

  /** `text`: what is between two brackets, up to a label. */
  addLink(text: string): void {
    // Most links need no parsing.
    if (isPlain(text)) return this.#addPage(MAIN, text.replaceAll(' ', '_'))
    if (this.#rules.languages.has(text.slice(0, Math.max(0, text.indexOf(':'))))) return
    const target = decodePercent(text).trim()
    const isForced = target.startsWith(':')
    const name = isForced ? target.slice(1).trim() : this.#whole(target)
    const colon = name.indexOf(':')
    const { namespaces, interwiki, languages } = this.#rules
    const prefix = colon > 0 ? name.slice(0, colon) : ''
    const namespace = prefix === '' ? undefined : namespaces.idByName(prefix)
    if (namespace === undefined && prefix !== '') {
      const folded = prefix.trim().toLowerCase()
      // A code of a language is no page, whatever the map of other wikis says.
      if (!isForced && (languages.has(folded) || languageName(folded) !== undefined)) return
      if (interwiki.has(folded)) return this.addAway(name)
    }
    if (!isForced && namespace === CATEGORY) return
    const parsed = parseTitle(name, namespaces)
    if (!parsed.ok) return
    const { title } = parsed
    const isFile = title.namespace === MEDIA || (title.namespace === FILE && !isForced)
    if (isFile) this.add('file', FILE, fileKey(title.dbkey, this.#rules))
    else if (title.namespace >= 0 && parsed.fragment === '') this.#addPage(title.namespace, title.dbkey)
    else if (title.namespace >= 0) this.add('link', title.namespace, title.dbkey)
  }

  /** A link within the wiki. `isOwn`: it counts for the page itself, too. */
  addPage(text: string, isOwn: boolean): void {
    const parsed = parseTitle(text, this.#rules.namespaces)
    if (!parsed.ok || parsed.title.namespace < 0) return
    const { namespace, dbkey } = parsed.title
    if (isOwn) this.add('link', namespace, dbkey)
    else this.#addPage(namespace, dbkey)
  }

  /** A page does not link to itself, unless to a section. */
  #addPage(namespace: number, dbkey: string): void {
    if (dbkey !== this.#page.dbkey || namespace !== this.#page.namespace) this.add('link', namespace, dbkey)
  }

  /** `text`: the name in a call, as written. */
  addCall(text: string): void {
    const module = INVOKE.exec(text)?.[1]
    const { namespaces } = this.#rules
    if (module !== undefined) return this.#addTitle(`${namespaces.keyPrefix(MODULE)}${module.trim()}`)
    const name = text.replace(MODIFIER, '').trim()
    if (isPlain(name) && !isMagic(name)) return this.add('template', TEMPLATE, name.replaceAll(' ', '_'))
    if (name.startsWith('#') || isMagic(name)) return
    if (name.startsWith(':')) return this.#addTitle(name.slice(1))
    const whole = this.#whole(name)
    const colon = whole.indexOf(':')
    const isNamed = whole !== name || (colon > 0 && namespaces.idByName(whole.slice(0, colon)) !== undefined)
    this.#addTitle(isNamed ? whole : `${namespaces.keyPrefix(TEMPLATE)}${name}`)
  }

  #addTitle(text: string): void {
    const { namespaces, interwiki } = this.#rules
    const parsed = parseTitle(text, namespaces, (prefix) => interwiki.has(prefix))
    if (parsed.ok && parsed.title.namespace >= 0)
      this.add('template', parsed.title.namespace, parsed.title.dbkey)
  }

  /** `text`: a title of another wiki, with its prefix. */
  addAway(text: string): void {
    const { namespaces, interwiki } = this.#rules
    const away = parseForeignTitle(text, namespaces, (prefix) => interwiki.has(prefix))
    if (away !== undefined) this.add('interwiki', MAIN, `${away.prefix}${PREFIX_END}${away.rest}`)
  }

  /** The whole title of a subpage that a link names by its last part: `/notes`. */
  #whole(text: string): string {
    if (!text.startsWith('/') && !text.startsWith('../')) return text
    const { namespace, dbkey } = this.#page
    const { namespaces } = this.#rules
    if (!namespaces.hasSubpages(namespace)) return text
    const prefix = namespaces.keyPrefix(namespace)
    if (text.startsWith('/')) return `${prefix}${dbkey}${text.replace(/\/$/, '')}`
    let base = dbkey
    let rest = text
    for (; rest.startsWith('../'); rest = rest.slice(3)) {
      const slash = base.lastIndexOf('/')
      if (slash < 0) return text
      base = base.slice(0, slash)
    }
    return `${prefix}${rest === '' ? base : `${base}/${rest.replace(/\/$/, '')}`}`
  }

  #readLinks(visible: string): void {
    const last = visible.lastIndexOf(']]')
    let looks = 0
    for (let at = visible.indexOf('[['); at >= 0 && at < last; at = visible.indexOf('[[', at + 1)) {
      if (++looks > MAX_LOOKS) return
      LINK_TARGET.lastIndex = at + 2
      const target = LINK_TARGET.exec(visible)?.[1]
      if (target !== undefined) this.addLink(target)
    }
  }

  #readCalls(visible: string): void {
    let looks = 0
    for (let at = visible.indexOf('{{'); at >= 0; at = visible.indexOf('{{', at)) {
      let end = at + 2
      while (visible.charCodeAt(end) === OPEN_BRACE) end++
      if (++looks > MAX_LOOKS) return
      // Three braces are a parameter, and a call in a call has its own name.
      if (end - at === 2 || end - at >= 4) this.#readCall(visible, end)
      at = end
    }
  }

  #readCall(visible: string, at: number): void {
    CALL_NAME.lastIndex = at
    const name = CALL_NAME.exec(visible)?.[1]
    if (name !== undefined) this.addCall(name)
  }
}

const OPEN_BRACE = 0x7b

function fileKey(dbkey: string, { namespaces }: LinkRules): string {
  const parsed = parseTitle(namespaces.keyPrefix(FILE) + dbkey, namespaces)
  return parsed.ok && parsed.title.namespace === FILE ? parsed.title.dbkey : dbkey
}

/** Words in capitals that are no templates. */
const WORDS = new Set(
  `ARTICLEPAGENAME ARTICLESPACE BASEPAGENAME CASCADINGSOURCES CONTENTLANG CONTENTLANGUAGE CURRENTVERSION DEFAULTCATEGORYSORT
  DEFAULTSORT DEFAULTSORTKEY DIRECTIONMARK DIRMARK DISPLAYTITLE FULLPAGENAME NAMESPACE NAMESPACENUMBER NUMBERINGROUP
  NUMBEROFACTIVEUSERS NUMBEROFADMINS NUMBEROFARTICLES NUMBEROFEDITS NUMBEROFFILES NUMBEROFPAGES NUMBEROFUSERS NUMINGROUP
  PAGEID PAGELANGUAGE PAGENAME PAGESINCAT PAGESINCATEGORY PAGESINNAMESPACE PAGESINNS PAGESIZE PROTECTIONEXPIRY
  PROTECTIONLEVEL REVISIONDAY REVISIONDAY2 REVISIONID REVISIONMONTH REVISIONMONTH1 REVISIONSIZE REVISIONTIMESTAMP
  REVISIONUSER REVISIONYEAR ROOTPAGENAME SCRIPTPATH SERVER SERVERNAME SITENAME STYLEPATH SUBJECTPAGENAME SUBJECTSPACE
  SUBPAGENAME TALKPAGENAME TALKSPACE ! =`.split(/\s+/),
)
const TIME_WORD = /^(?:CURRENT|LOCAL)(?:DAY|DOW|HOUR|MONTH|TIME|WEEK|YEAR)/
/** Functions with a colon. */
const FUNCTIONS = new Set(
  `anchorencode articlepath bidi canonicalurl canonicalurle filepath formatnum fullurl fullurle gender grammar int lc lcfirst
  localurl localurle ns nse padleft padright plural uc ucfirst urlencode`.split(/\s+/),
)

/** Tells if a call is of a variable or function. */
function isMagic(name: string): boolean {
  const colon = name.indexOf(':')
  const word = colon < 0 ? name : name.slice(0, colon)
  if (colon > 0 && FUNCTIONS.has(word.toLowerCase())) return true
  const capitals = word.endsWith('E') && WORDS.has(word.slice(0, -1)) ? word.slice(0, -1) : word
  return (
    WORDS.has(capitals) ||
    TIME_WORD.test(word) ||
    ['pageid', 'server', 'servername', 'scriptpath', 'stylepath'].includes(word)
  )
}
