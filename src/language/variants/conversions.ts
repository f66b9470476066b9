/** The conversions of all variants. A table is made when it is first used, and stays. */
import { hongKong, mainland, simplified, taiwan, traditional } from './chinese.js'
import { AS_WRITTEN, type Conversion } from './conversion.js'
import {
  inuktitutLatin,
  inuktitutSyllabics,
  kurdishArabic,
  kurdishLatin,
  serbianCyrillic,
  serbianLatin,
  tachelhitLatin,
  tachelhitTifinagh,
  tajikLatin,
  talyshCyrillic,
  talyshLatin,
  uzbekCyrillic,
  uzbekLatin,
} from './scripts.js'
import { crimeanCyrillic, crimeanLatin, kazakhArabic, kazakhCyrillic, kazakhLatin } from './turkic.js'

const MAKERS: Readonly<Record<string, () => Conversion>> = {
  'crh-cyrl': crimeanCyrillic,
  'crh-latn': crimeanLatin,
  'ike-cans': inuktitutSyllabics,
  'ike-latn': inuktitutLatin,
  'kk-arab': kazakhArabic,
  'kk-cn': kazakhArabic,
  'kk-cyrl': kazakhCyrillic,
  'kk-kz': kazakhCyrillic,
  'kk-latn': kazakhLatin,
  'kk-tr': kazakhLatin,
  'ku-arab': kurdishArabic,
  'ku-latn': kurdishLatin,
  'shi-latn': tachelhitLatin,
  'shi-tfng': tachelhitTifinagh,
  'sr-ec': serbianCyrillic,
  'sr-el': serbianLatin,
  'tg-latn': tajikLatin,
  tly: talyshLatin,
  'tly-cyrl': talyshCyrillic,
  'uz-cyrl': uzbekCyrillic,
  'uz-latn': uzbekLatin,
  'gan-hans': () => simplified(),
  'gan-hant': traditional,
  'zh-hans': () => simplified(),
  'zh-cn': mainland,
  'zh-my': () => simplified([['伺服器', '服务器']]),
  'zh-sg': () => simplified([['伺服器', '服务器']]),
  'zh-hant': traditional,
  'zh-hk': hongKong,
  'zh-mo': hongKong,
  'zh-tw': taiwan,
}

const made = new Map<() => Conversion, Conversion>()

/** The conversion to a variant. Texts stay as they are written in most languages themselves. */
export function conversionOf(variant: string): Conversion {
  const make = Object.hasOwn(MAKERS, variant) ? MAKERS[variant] : undefined
  if (make === undefined) return AS_WRITTEN
  const known = made.get(make) ?? make()
  made.set(make, known)
  return known
}
