/** Parameters of every request to the action API. */
import { choice, choiceOr, flag, integer, integerOr, text } from './frame/declaration.js'

/** Of the form of the answer. `formatversion` is read before all others. */
export const FORMAT_PARAMETERS = {
  formatversion: text('1, or 2 for booleans and names instead of `""` and `*`'),
  callback: text('answer with a script that calls this function; the user counts as anonymous'),
  utf8: flag('letters beyond ASCII as they are, which version 2 always does'),
  ascii: flag('escape letters beyond ASCII'),
  wrappedhtml: flag('without effect'),
}

export const MAIN_PARAMETERS = {
  maxlag: integer('without effect: this server has one database'),
  smaxage: integerOr(0, 'seconds that shared caches may keep the answer', { min: 0 }),
  maxage: integerOr(0, 'seconds that the client may keep the answer', { min: 0 }),
  assert: choice(['anon', 'bot', 'user'], 'the request fails unless the client is such a user'),
  assertuser: text('the request fails unless the client is the user of this name'),
  requestid: text('comes back in the answer'),
  servedby: flag('without effect'),
  curtimestamp: flag('the answer has the time'),
  responselanginfo: flag('without effect'),
  origin: text('`*` allows scripts of all sites to read the answer; the user counts as anonymous'),
  crossorigin: flag('as `origin=*`, for requests with a token in the header `Authorization`'),
  uselang: text('without effect: messages are in English'),
  variant: text('without effect'),
  errorformat: choiceOr(
    'bc',
    ['plaintext', 'wikitext', 'html', 'raw', 'none', 'bc'],
    'form of errors and warnings',
  ),
  errorlang: text('without effect'),
  errorsuselocal: flag('without effect'),
}
