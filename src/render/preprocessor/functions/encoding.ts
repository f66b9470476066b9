/** Percent-encoding in the three styles of wikitext. */

const UNPAIRED = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const NOT_QUERY = /[!'()*~]/g
const NOT_PATH = /[!'()*]/g
/** Kept in titles, since no part of a URL needs them encoded. */
const TITLE_SIGNS = /%(?:3B|40|24|21|2A|28|29|2C|2F|7E|3A)/gi

/** Encodes as in a form: a blank becomes `+`. */
export function encodeQuery(text: string): string {
  return encode(text).replace(NOT_QUERY, percent).replaceAll('%20', '+')
}

export function encodePath(text: string): string {
  return encode(text).replace(NOT_PATH, percent)
}

/** Encodes as in page URLs; the text has underscores already. */
export function encodeTitle(key: string): string {
  return encode(key)
    .replaceAll("'", '%27')
    .replace(TITLE_SIGNS, (code) => decodeURIComponent(code))
}

function encode(text: string): string {
  return encodeURIComponent(text.replace(UNPAIRED, '\ufffd'))
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
