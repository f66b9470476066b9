/** Writing direction of a language. */

/** Codes of the languages that MediaWiki writes from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(
  `ae aeb aeb-arab ajp apc ar arc arq ary arz azb bcc bej bgn bqi ckb dv fa glk ha-arab he khw kk-arab kk-cn ks
   ks-arab ku-arab lki lrc luz mzn nqo ota pnb ps sd sdh sh-arab skr skr-arab syc ug ug-arab ur uz-arab yi ydd`
    .trim()
    .split(/\s+/),
)

export type Direction = 'ltr' | 'rtl'

export function directionOf(language: string): Direction {
  return RIGHT_TO_LEFT.has(language.toLowerCase()) ? 'rtl' : 'ltr'
}
