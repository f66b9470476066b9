/**
 * Variants of a language: scripts and regional forms in which one wiki can be read, such as `zh-hant` of `zh`. The
 * first one is the language itself: a reader who chooses nothing sees the text as it was written.
 */
import { languageOf } from '../language/language.js'
import { languageName } from './languageNames.js'

/** Codes of the variants of a language, itself first. Empty where it has none. */
export function variantsOf(language: string): readonly string[] {
  const { variants } = languageOf(language)
  return variants.length > 1 ? variants : []
}

export const hasVariants = (language: string): boolean => variantsOf(language).length > 0

/** Tags of variants by BCP 47, where they differ from MediaWiki's codes by more than case. */
const TAGS: Readonly<Record<string, string>> = {
  'sr-ec': 'sr-Cyrl',
  'sr-el': 'sr-Latn',
  'ike-cans': 'iu-Cans',
  'ike-latn': 'iu-Latn',
  'zh-cn': 'zh-Hans-CN',
  'zh-my': 'zh-Hans-MY',
  'zh-sg': 'zh-Hans-SG',
  'zh-hk': 'zh-Hant-HK',
  'zh-mo': 'zh-Hant-MO',
  'zh-tw': 'zh-Hant-TW',
}

/** Names of the variants that have others than their languages. */
const NAMES: Readonly<Record<string, string>> = {
  gan: '原文',
  'gan-hans': '简体',
  'gan-hant': '繁體',
  zh: '原文',
  'zh-hans': '简体',
  'zh-hant': '繁體',
  'zh-cn': '大陆',
  'zh-hk': '香港',
  'zh-mo': '澳門',
  'zh-my': '大马',
  'zh-sg': '新加坡',
  'zh-tw': '臺灣',
}

/** A code as HTML names languages: `zh-Hant-TW`. */
export function variantTag(code: string): string {
  return (
    TAGS[code] ??
    code
      .split('-')
      .map((part, n, parts) => tagPart(part, n > 0 && parts[n - 1] !== 'x'))
      .join('-')
  )
}

const SCRIPT_LENGTH = 4
const REGION_LENGTH = 2

/** Scripts have a capital, regions are capitals. */
function tagPart(part: string, isSubtag: boolean): string {
  if (isSubtag && part.length === REGION_LENGTH) return part.toUpperCase()
  return isSubtag && part.length === SCRIPT_LENGTH ? part[0]!.toUpperCase() + part.slice(1) : part
}

/** The code of the variant that a page names by it, or by its tag in any case: `sr-Cyrl`. Undefined for none. */
export function variantNamed(name: string, language: string): string | undefined {
  const { variants } = languageOf(language)
  if (variants.includes(name)) return name
  const folded = name.toLowerCase()
  return variants.find((code) => variantTag(code).toLowerCase() === folded)
}

/** The name of a variant in itself. */
export const variantName = (code: string): string =>
  NAMES[code] ?? languageName(code) ?? languageOf(code).name

const WEIGHTED = /^([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,6})(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/
/** Longer headers are read up to here. */
const MAX_HEADER = 300

/** The variant that a reader prefers by the header `Accept-Language`; the language itself if it names none. */
export function acceptedVariant(header: string, language: string): string {
  const { variants } = languageOf(language)
  const accepted = header
    .slice(0, MAX_HEADER)
    .toLowerCase()
    .split(',')
    .map((element) => WEIGHTED.exec(element.trim()))
    .filter((match) => match !== null)
    .map(([, tag = '', quality = '1']) => ({ tag, quality: Number(quality) }))
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  for (const { tag } of accepted) {
    const found = variantOfTag(tag, variants)
    if (found !== undefined) return found
  }
  return language
}

/** Also of a tag with a script or a region more. */
function variantOfTag(tag: string, variants: readonly string[]): string | undefined {
  for (let rest = tag; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('-')))) {
    const found = variants.find((code) => code === rest || variantTag(code).toLowerCase() === rest)
    if (found !== undefined) return found
  }
  return undefined
}
