/** Redirect pages: the target is read from the source of the page. */
import { decodeCharacterReferences } from './characterReferences.js'
import { decodePercent } from './percent.js'

/**
 * Redirect keywords without `#`, matched in any case: English first, then those of other languages. Every wiki accepts
 * all of them, so a dump needs no list of its wiki's magic words.
 */
const WORDS = `
  redirect
  deurverwiezing duurverwiezing redirecció redireccio saadaq tojədən_i̇sti̇ğomət_doy yünältü
  aanstuur adkas ail-cyfeirio ailgyfeirio al alih aliah alidirekti alidirektu ancaminar athsheoladh aýdaw
  beralîkirin birzuzendu daskedyans dirección dirijar doorverwijzing endrecera fihodinana hetenayiş
  istiqamətləndir istiqamətləndirmə kiahou kúfù leidt_öm_op lencong ohjaus omdiriger omdirigering ođđasitstivren
  patrz peradresavimas presmeruj preusmeri preusmeritev preusmjeri przekieruj pupinah pusapuna přesměruj
  redirecionamento redireccion redirección redirecteaza redirection redirèccion reendrecera renviament
  ridrejto rimando rindirizza rinvia rinvio stir stivren suuna tam tilvísun uudelleenohjaus varda viruleedung
  weiterleitung wiederleiden yonaltirish yoʻnaltirish yönlendir yönlendirme yönnendir yönnendirmä yönnendirmäkler
  átirányítás ömleide ömleide_op ömleidung đổi ανακατευθυνση ανακατεύθυνση
  ластар равона утаарыы утр
  ærвитæн ærвыст æрвитæн æрвыст айдау виж види джибериу дӏасахьажор көжүрүлге перанакіраваньне перенапр
  перенаправление перенаправлення пренасочване пренасочување преусмери преусмјери прѣнаправлєниѥ рарвыст редирект
  хьажайо чиглүүлэг шигледир юнәлтү վերահղում გადამისამართება
  վերայղում ايداۋ مڑجوڑ
  अनुप्रेषितम् पुनर्निर्दिष्टम् পুনঃনির্দেশ পুনঃর্নির্দেশ পুননির্দেশ
  הפניה ווייטערפירן بور تحويل تغییر_مسیر تغییرمسیر رجوع_مکرر چوريو ڕەوانەکەر ܨܘܝܒܐ
  अनुप्रेषित पुनर्निदेशन पुनर्निर्देशन पुनर्प्रेषित पुर्ननिर्देशन পুনর্নির্দেশ ਰੀਡਿਰੈਕਟ ଲେଉଟାଣି வழிமாற்று దారిమార్పు
  തിരിച്ചുവിടുക തിരിച്ചുവിടൽ යළියොමුව เปลี่ยนทาง
  ប្ដូរចំណងជើង ប្ដូរទីតាំង ប្ដូរទីតាំងទៅ ប្តូរទីតាំង ប្តូរទីតាំងទៅ បញ្ជូនបន្ត
  넘겨주기 リダイレクト 転送 重定向 重新導向
`
const REDIRECT_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/).map(fold))

/**
 * The number sign may be full-width, as Japanese keyboards type it. The pattern is anchored, and every repetition has
 * only one way to match.
 */
const REDIRECT = /^\s*[#＃]([^\s:[\]]{1,40})\s*(?::\s*)?\[\[([^[\]|{}<>\n]+)(?:\|.*?)?\]\]/
const BLANKS = /[\s_]+/g

/**
 * The target of a redirect page as its link writes it, without label and leading colon, with `#section`. It is in
 * reading form: underscores are spaces, percent escapes and character references are decoded. Undefined when the text
 * is not a redirect. The target is not checked as a title.
 */
export function redirectTarget(wikitext: string): string | undefined {
  const [, word, link] = REDIRECT.exec(wikitext) ?? []
  if (word === undefined || link === undefined || !REDIRECT_WORDS.has(fold(word))) return undefined
  const target = decodeCharacterReferences(decodePercent(link))
    .replace(BLANKS, ' ')
    .trim()
    .replace(/^: ?/, '')
  return target === '' || target.startsWith('#') ? undefined : target
}

/** Index after the link of a redirect, where the page's own text begins; 0 when the text is not a redirect. */
export function redirectEnd(wikitext: string): number {
  const [whole, word] = REDIRECT.exec(wikitext) ?? []
  return whole !== undefined && word !== undefined && REDIRECT_WORDS.has(fold(word)) ? whole.length : 0
}

/** One spelling for all cases, the dotted and dotless Turkish i among them. */
function fold(word: string): string {
  return word.normalize('NFC').toUpperCase().toLowerCase().replaceAll('\u0307', '')
}
