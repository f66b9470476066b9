/** What stays of HTML that another server made: the elements and attributes of rendered wikitext. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const BODY_ELEMENTS = words(`
  a abbr area audio b bdi bdo big blockquote br caption center cite code col colgroup data dd del details dfn div dl dt em
  figcaption figure figure-inline font h1 h2 h3 h4 h5 h6 hr i img ins kbd li link map mark meta ol p pre q rb rp rt rtc
  ruby s samp section small span strike strong style sub summary sup table tbody td tfoot th thead time tr tt u ul
  var video wbr`)

/** Elements that go with all that they contain. Of other unknown elements, the contents stay. */
export const DROPPED_ELEMENTS = words(`
  applet base button embed frame frameset iframe input math-field noembed noframes noscript object option plaintext script
  source select svg template textarea title track xmp annotation annotation-xml mglyph malignmark maction`)

/** MathML that shows a formula, without what can hold other languages or has actions. */
export const MATHML_ELEMENT =
  /^(?:math|mrow|mi|mn|mo|ms|mtext|m(?:space|style|padded|phantom|error|frac|sqrt|root)|m(?:sub|sup|subsup|over|under|underover|multiscripts|prescripts|table|tr|td|enclose)|none)$/

const ATTRIBUTES = words(`
  about abbr align alt axis bgcolor border cellpadding cellspacing char charoff charset cite class clear color cols colspan
  content controls coords datatype datetime dir frame headers height href hreflang hspace http-equiv id itemid itemprop
  itemref itemscope itemtype lang loop media muted name noshade nowrap open prefix property rel resource rev reversed role
  rows preload rowspan rules scope shape size span src start style summary tabindex title type typeof usemap valign value vspace width
  xml:lang`)

const MATHML_ATTRIBUTES = words(`
  accent accentunder align alttext class close columnalign columnlines columnspacing columnspan depth dir display
  displaystyle equalcolumns equalrows fence form frame framespacing height id largeop linethickness lspace mathbackground
  mathcolor mathsize mathvariant maxsize minsize movablelimits notation open rowalign rowlines rowspacing rowspan rspace
  scriptlevel separator side stretchy style symmetric voffset width xmlns`)

/** Facts about the page for clients. No browser acts on them. */
const DATA = /^(?:data|aria)-[a-z0-9_.:-]+$/
/** Positions in the source, which only the server that made the HTML knows. */
const OWN_DATA = /^data-(?:parsoid|object-id|mw-imported)/

export function isAllowedAttribute(name: string, isMath: boolean): boolean {
  if (DATA.test(name)) return !OWN_DATA.test(name)
  return (isMath ? MATHML_ATTRIBUTES : ATTRIBUTES).has(name)
}

export const URL_ATTRIBUTES = words('about cite href itemid itemtype resource src')
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const SCHEMES = words(`
  bitcoin ftp ftps geo git gopher http https irc ircs magnet mailto mms mw-data news nntp redis sftp sip sips sms ssh svn
  tel telnet urn worldwind xmpp`)
/** Browsers leave these signs out before they look for the scheme. */
const IGNORED_SIGNS = /[\u0000- \u007f-\u00a0]/g

/** True for a relative address, and one of a scheme that runs nothing. */
export function isSafeAddress(address: string): boolean {
  const [, scheme] = SCHEME.exec(address.replace(IGNORED_SIGNS, '')) ?? []
  return scheme === undefined || SCHEMES.has(scheme.toLowerCase())
}

/** Relations that say something of the page, and make a browser fetch nothing. */
const TELLING_RELATION = /^(?:mw:|dc:|mw-deduplicated-inline-style$)/
export const isTellingLink = (relations: string): boolean =>
  relations
    .split(/\s+/)
    .filter((each) => each !== '')
    .every((each) => TELLING_RELATION.test(each))
export const isTellingMeta = (httpEquiv: string): boolean => /^(?:content-language|vary)$/i.test(httpEquiv)
