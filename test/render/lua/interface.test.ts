/** What modules find: the members of every table of the interface, no fewer and no more. */
import { describe, expect, test } from 'vitest'
import { runLua } from './luaWiki.js'

const words = (text: string): string[] => text.trim().split(/\s+/).sort()

/** Keys as `pairs` lists them. */
function keysOf(expression: string): string[] {
  const body = `
    local keys = {}
    for key in pairs(${expression}) do keys[#keys + 1] = tostring(key) end
    return table.concat(keys, ' ')`
  return words(runLua(body))
}

const TABLES: readonly (readonly [expression: string, keys: string])[] = [
  [
    '_G',
    `_G _VERSION assert debug error getmetatable ipairs math mw next os package pairs pcall rawequal rawget rawset require
     select setmetatable string table tonumber tostring type unpack xpcall`,
  ],
  ['os', 'clock date difftime time'],
  ['debug', 'traceback'],
  ['package', 'loaded loaders preload seeall'],
  ['string', 'byte char find format gfind gmatch gsub len lower match rep reverse sub ulower upper uupper'],
  ['table', 'concat foreach foreachi getn insert maxn remove setn sort'],
  [
    'math',
    `abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min mod modf pi pow rad random
     randomseed sin sinh sqrt tan tanh`,
  ],
  [
    'package.loaded',
    `_G debug libraryUtil math mw mw.ext mw.hash mw.html mw.language mw.message mw.site mw.text mw.title mw.uri mw.ustring
     mw.wikibase os package string table`,
  ],
  [
    'frame',
    `args argumentPairs callParserFunction expandTemplate extensionTag getArgument getParent getTitle newChild newParserValue
     newTemplateParserValue preprocess`,
  ],
  [
    'mw',
    `addWarning allToString clone dumpObject ext getContentLanguage getCurrentFrame getLanguage hash html
     incrementExpensiveFunctionCount isSubsting language loadData loadJsonData log logObject message site text title uri
     ustring wikibase`,
  ],
  [
    'mw.ustring',
    `byte byteoffset char codepoint find format gcodepoint gmatch gsub isutf8 len lower match maxPatternLength
     maxStringLength rep sub toNFC toNFD toNFKC toNFKD upper`,
  ],
  [
    'mw.text',
    `JSON_PRESERVE_KEYS JSON_PRETTY JSON_TRY_FIXING decode encode gsplit jsonDecode jsonEncode killMarkers listToText nowiki
     split tag trim truncate unstrip unstripNoWiki`,
  ],
  ['mw.html', 'create'],
  ['mw.title', 'compare equals getCurrentTitle makeTitle new'],
  [
    "mw.title.new('A')",
    `basePageTitle baseText canTalk canonicalUrl cascadingProtection contentModel exists fragment fullText fullUrl getContent
     hasSubjectNamespace id inNamespace inNamespaces interwiki isContentPage isExternal isLocal isRedirect isSpecialPage
     isSubpage isSubpageOf isTalkPage localUrl namespace nsText partialUrl prefixedText protectionLevels redirectTarget
     rootPageTitle rootText subPageTitle subjectNsText subjectPageTitle subpageText talkPageTitle text thePartialUrl`,
  ],
  [
    'mw.language',
    `fetchLanguageName fetchLanguageNames getContentLanguage getFallbacksFor isKnownLanguageTag isSupportedLanguage
     isValidBuiltInCode isValidCode new`,
  ],
  [
    'mw.getContentLanguage()',
    `caseFold code convertGrammar convertPlural formatDate formatDuration formatNum gender getArrow getCode getDir getDirMark
     getDirMarkEntity getDurationIntervals getFallbackLanguages grammar isRTL lc lcfirst parseFormattedNumber plural uc
     ucfirst`,
  ],
  ['mw.message', 'getDefaultLanguage new newFallbackSequence newRawMessage numParam rawParam'],
  [
    'mw.site',
    `contentNamespaces currentVersion interwikiMap namespaces scriptPath server siteName stats stylePath subjectNamespaces
     talkNamespaces`,
  ],
  [
    'mw.site.stats',
    'activeUsers admins articles edits files pages pagesInCategory pagesInNamespace users usersInGroup',
  ],
  [
    'mw.site.namespaces.Help',
    `aliases associated canonicalName hasGenderDistinction hasSubpages id isCapitalized isContent isIncludable isMovable
     isSubject isTalk name subject talk`,
  ],
  [
    'mw.site.interwikiMap().de',
    'isCurrentWiki isExtraLanguageLink isLocal isProtocolRelative isTranscludable prefix url',
  ],
  [
    'mw.uri',
    `anchorEncode buildQueryString canonicalUrl decode encode fullUrl localUrl new parseQueryString validate`,
  ],
  ['mw.hash', 'hashValue listAlgorithms'],
  ['mw.ext', 'FlaggedRevs ParserFunctions TitleBlacklist data'],
  ['mw.ext.ParserFunctions', 'expr'],
  [
    'mw.wikibase',
    `description entity entityExists formatValue formatValues getAllStatements getBadges getBestStatements getDescription
     getDescriptionByLang getDescriptionWithLang getEntity getEntityIdForCurrentPage getEntityIdForTitle getEntityObject
     getEntityUrl getGlobalSiteId getLabel getLabelByLang getLabelWithLang getPropertyOrder getReferencedEntityId getSitelink
     isValidEntityId label lexeme orderProperties renderSnak renderSnaks resolvePropertyId sitelink`,
  ],
  ["require('bit32')", 'arshift band bnot bor btest bxor extract lrotate lshift replace rrotate rshift'],
  [
    "require('libraryUtil')",
    'checkType checkTypeForIndex checkTypeForNamedArg checkTypeMulti makeCheckSelfFunction',
  ],
]

describe('members', () => {
  test.each(TABLES)('of %s', (expression, keys) => expect(keysOf(expression)).toEqual(words(keys)))

  test.each([
    ["mw.html.create('b')", 'addClass allDone attr css cssText done getAttr newline node tag wikitext'],
    [
      "mw.message.new('a')",
      'exists inLanguage isBlank isDisabled numParams params plain rawParams useDatabase',
    ],
    ["mw.uri.new('http://a.example')", 'clone extend parse'],
    ["frame:getArgument('a')", 'expand'],
    ["frame:newParserValue('a')", 'expand'],
    ["frame:newTemplateParserValue{title = 'a'}", 'expand'],
  ])('of %s are functions', (expression, names) => {
    const list = words(names)
    const types = list.map((name) => `type(object.${name})`).join(" .. ' ' .. ")
    expect(runLua(`local object = ${expression} return ${types}`).split(' ')).toEqual(
      list.map(() => 'function'),
    )
  })

  test('of mw.uri objects are computed and set', () => {
    const body = `
      local u = mw.uri.new('http://ann:pw@a.example:8080/p?q=1#f')
      return table.concat({u.protocol, u.user, u.password, u.host, u.port, u.path, u.query.q, u.fragment,
        u.userInfo, u.hostPort, u.authority, u.queryString, u.relativePath}, ' ')`
    expect(runLua(body)).toBe(
      'http ann pw a.example 8080 /p 1 f ann:pw a.example:8080 ann:pw@a.example:8080 q=1 /p?q=1#f',
    )
  })

  test('that modules must not have are absent', () => {
    const names = `print load loadstring loadfile dofile getfenv setfenv collectgarbage newproxy module coroutine io bit32 utf8
      rawlen table.pack table.unpack string.dump os.exit os.getenv os.execute debug.getinfo debug.sethook math.tointeger`
    const types = words(names).map((name) => `type(${name})`)
    expect(new Set(runLua(`return ${types.join(" .. ' ' .. ")}`).split(' '))).toEqual(new Set(['nil']))
  })
})
