/** Autonyms of languages, by the codes that MediaWiki uses as interlanguage prefixes. */
import { createRequire } from 'node:module'

/**
 * The languages of MediaWiki 1.39 and of Wikipedias opened since. The data package has more codes, such as `doi` and
 * `mag`. These are left out: many wikis use them as ordinary interwiki prefixes or namespaces.
 */
const CODES = `
  aa ab abs ace ady ady-cyrl aeb aeb-arab aeb-latn af ak aln als alt am ami an ang ann anp ar arc arn arq ary
  arz as ase ast atj av avk awa ay az azb ba ban ban-bali bar bat-smg bbc bbc-latn bcc bci bcl bdr be
  be-tarask be-x-old bew bg bgn bh bho bi bjn blk bm bn bo bpy bqi br brh bs btm bto bug bxr ca cbk-zam cdo
  ce ceb ch cho chr chy ckb co cps cr crh crh-cyrl crh-latn cs csb cu cv cy da dag de de-at de-ch de-formal
  dga din diq dsb dtp dty dv dz ee egl el eml en en-ca en-gb eo es es-419 es-formal et eu ext fa fat ff fi
  fit fiu-vro fj fo fon fr frc frp frr fur fy ga gaa gag gan gan-hans gan-hant gcr gd gl gld glk gn gom
  gom-deva gom-latn gor got gpe grc gsw gu guc gur guw gv ha hak haw he hi hif hif-latn hil ho hr hrx hsb hsn
  ht hu hu-formal hy hyw hz ia iba id ie ig igl ii ik ike-cans ike-latn ilo inh io is it iu ja jam jbo jut jv
  ka kaa kab kbd kbd-cyrl kbp kcg kea kg kge khw ki kiu kj kjp kk kk-arab kk-cn kk-cyrl kk-kz kk-latn kk-tr
  kl km kn knc ko ko-kp koi kr krc kri krj krl ks ks-arab ks-deva ksh ksw ku ku-arab ku-latn kum kus kv kw ky
  la lad lb lbe lez lfn lg li lij liv lki lld lmo ln lo loz lrc lt ltg lus luz lv lzh lzz mad mai map-bms mdf
  mg mh mhr mi min mk ml mn mni mnw mo mos mr mrh mrj ms ms-arab mt mus mwl my myv mzn na nah nan nap nb nds
  nds-nl ne new ng nia niu nl nl-informal nmz nn no nod nov nqo nr nrm nso nv ny nyn nys oc ojb olo om or os
  pa pag pam pap pcd pcm pdc pdt pfl pi pih pl pms pnb pnt prg ps pt pt-br pwn qu qug rgn rif rm rmc rmy rn
  ro roa-rup roa-tara rsk ru rue rup ruq ruq-cyrl ruq-latn rw ryu sa sah sat sc scn sco sd sdc sdh se se-fi
  se-no se-se sei ses sg sgs sh shi shi-latn shi-tfng shn shy shy-latn si simple sjd sje sk skr skr-arab sl
  sli sm sma smn sms sn so sq sr sr-ec sr-el srn sro ss st stq sty su sv sw syl szl szy ta tay tcy tdd te tet
  tg tg-cyrl tg-latn th ti tig tk tl tly tly-cyrl tn to tpi tr tru trv ts tt tt-cyrl tt-latn tum tw ty tyv
  tzm udm ug ug-arab ug-latn uk ur uz uz-cyrl uz-latn ve vec vep vi vls vmf vmw vo vot vro wa war wls wo wuu
  xal xh xmf xsy yi yo yrl yue za zea zgh zh zh-classical zh-cn zh-hans zh-hant zh-hk zh-min-nan zh-mo zh-my
  zh-sg zh-tw zh-yue zu
`

/** Names of MediaWiki that the data package lacks or spells differently. */
const MEDIAWIKI_NAMES: Readonly<Record<string, string>> = {
  abs: 'bahasa ambon',
  aeb: 'تونسي/Tûnsî',
  ak: 'Akan',
  als: 'Alemannisch',
  ase: 'American sign language',
  atj: 'Atikamekw',
  ban: 'Basa Bali',
  'ban-bali': 'ᬩᬲᬩᬮᬶ',
  btm: 'Batak Mandailing',
  bug: 'ᨅᨔ ᨕᨘᨁᨗ',
  cdo: 'Mìng-dĕ̤ng-ngṳ̄',
  cho: 'Choctaw',
  cr: 'Nēhiyawēwin / ᓀᐦᐃᔭᐍᐏᐣ',
  'crh-cyrl': 'къырымтатарджа (Кирилл)',
  'crh-latn': 'qırımtatarca (Latin)',
  dtp: 'Dusun Bundu-liwan',
  gom: 'गोंयची कोंकणी / Gõychi Konknni',
  hak: '客家語/Hak-kâ-ngî',
  hsn: '湘语',
  'hu-formal': 'magyar (formal)',
  iu: 'ᐃᓄᒃᑎᑐᑦ/inuktitut',
  jbo: 'la .lojban.',
  'kk-arab': 'قازاقشا (تٴوتە)',
  'kk-cn': 'قازاقشا (جۇنگو)',
  'kk-cyrl': 'қазақша (кирил)',
  'kk-kz': 'қазақша (Қазақстан)',
  'kk-latn': 'qazaqşa (latın)',
  'kk-tr': 'qazaqşa (Türkïya)',
  krl: 'karjal',
  ks: 'कॉशुर / کٲشُر',
  'ku-arab': 'كوردي (عەرەبی)',
  'ku-latn': 'kurdî (latînî)',
  mnw: 'ဘာသာ မန်',
  nan: 'Bân-lâm-gú',
  nb: 'norsk bokmål',
  'nds-nl': 'Nedersaksies',
  niu: 'Niuē',
  nn: 'norsk nynorsk',
  nod: 'ᨣᩤᩴᨾᩮᩬᩥᨦ',
  nys: 'Nyunga',
  prg: 'prūsiskan',
  rmy: 'romani čhib',
  ruq: 'Vlăheşte',
  shn: 'ၽႃႇသႃႇတႆး',
  sr: 'српски / srpski',
  'sr-ec': 'српски (ћирилица)',
  'sr-el': 'srpski (latinica)',
  tdd: 'ᥖᥭᥰᥖᥬᥳᥑᥨᥒᥰ',
  tt: 'татарча/tatarça',
  ug: 'ئۇيغۇرچە / Uyghurche',
  'ug-latn': 'Uyghurche',
  uz: 'oʻzbekcha/ўзбекча',
  wls: 'Fakaʻuvea',
  xsy: 'saisiyat',
  'zh-min-nan': 'Bân-lâm-gú',
}

/** An entry of the data package: script, regions and autonym; or, for an alias, only the code it points to. */
type LanguageEntry =
  | readonly [script: string, regions: readonly string[], autonym: string]
  | readonly [alias: string]

/** The codes, in lower case. */
export const LANGUAGE_CODES: readonly string[] = CODES.trim().split(/\s+/)

const KNOWN_CODES: ReadonlySet<string> = new Set(LANGUAGE_CODES)

/** Tells if a code in lower case is that of a language, without reading the table of names. */
export const isLanguageCode = (code: string): boolean => KNOWN_CODES.has(code)

let names: ReadonlyMap<string, string> | undefined

/**
 * The language's own name, such as `Deutsch` for `de`; undefined for an unknown code. Codes are in lower case. The
 * first call reads the table, which takes some milliseconds.
 */
export function languageName(code: string): string | undefined {
  names ??= readNames()
  return names.get(code)
}

/** All codes with the languages' own names, by code. */
export function languageNames(): (readonly [code: string, name: string])[] {
  names ??= readNames()
  return [...names]
}

function readNames(): Map<string, string> {
  // require, since importing JSON makes Node 20 print a warning
  const require = createRequire(import.meta.url)
  const { languages } = require('@wikimedia/language-data/data/language-data.json') as {
    readonly languages: Readonly<Record<string, LanguageEntry>>
  }
  const table = new Map<string, string>()
  for (const code of LANGUAGE_CODES) {
    const name = MEDIAWIKI_NAMES[code] ?? autonym(languages, code)
    if (name === undefined) throw new Error(`the language data have no name for ${code}`)
    table.set(code, name)
  }
  return table
}

function autonym(languages: Readonly<Record<string, LanguageEntry>>, code: string): string | undefined {
  const entry = languages[code]
  if (entry === undefined) return undefined
  return entry.length === 1 ? autonym(languages, entry[0]) : entry[2]
}
