/** Documentation of the action API's parameters for the description of the API. */
import type { QueryDoc } from '../openapi/describedRoute.js'
import type { ParameterName } from './parameters.js'
import type { JsonSchema } from '../request/params.js'

const TEXT = { type: 'string' }
const oneOf = (...words: string[]): JsonSchema => ({ enum: words })

const DOCS: Readonly<Record<ParameterName, readonly [description: string, schema?: JsonSchema]>> = {
  action: ['what to do', oneOf('query', 'login', 'clientlogin', 'logout', 'createaccount')],
  format: ['of the answer', oneOf('json')],
  formatversion: ['2 for booleans and names instead of `""` and `*`', oneOf('1', '2', 'latest')],
  assert: ['the request fails unless the client is such a user', oneOf('anon', 'bot', 'user')],
  assertuser: ['the request fails unless the client is the user of this name'],
  requestid: ['comes back in the answer'],
  curtimestamp: ['when present, the answer has the time'],
  meta: ['of `query`: `siteinfo`, `tokens`, `userinfo`, with bars between them'],
  list: ['of `query`: this server has no lists, so each is an error'],
  prop: ['of `query`: this server has no properties, so each is an error'],
  generator: ['of `query`: this server has no generators, so each is an error'],
  type: ['of `meta=tokens`: `csrf`, `login`, `createaccount` and others, with bars between them'],
  siprop: ['of `meta=siteinfo`: `general`, `namespaces` and others, with bars between them'],
  uiprop: ['of `meta=userinfo`: `groups`, `rights` and others, with bars between them'],
  lgname: ['of `login`: name of the account'],
  lgpassword: ['of `login`: password of the account'],
  lgtoken: ['of `login`: token of the type `login`'],
  logintoken: ['of `clientlogin`: token of the type `login`'],
  loginreturnurl: ['of `clientlogin`: any URL'],
  logincontinue: ['of `clientlogin`: in place of `loginreturnurl`'],
  createtoken: ['of `createaccount`: token of the type `createaccount`'],
  createreturnurl: ['of `createaccount`: any URL'],
  createcontinue: ['of `createaccount`: in place of `createreturnurl`'],
  username: ['of `clientlogin` and `createaccount`: name of the account'],
  password: ['of `clientlogin` and `createaccount`: password of the account'],
  retype: ['of `createaccount`: the password again'],
  token: ['of `logout`: token of the type `csrf`'],
}

/** Parameters allowed in the query of a GET. */
export const QUERY_PARAMETERS = [
  'action',
  'format',
  'formatversion',
  'assert',
  'assertuser',
  'requestid',
  'curtimestamp',
  'meta',
  'list',
  'prop',
  'generator',
  'type',
  'siprop',
  'uiprop',
] as const satisfies readonly ParameterName[]

export function parameterDocs(names: readonly ParameterName[]): QueryDoc[] {
  return names.map((name) => {
    const [description, schema = TEXT] = DOCS[name]
    return { name, description, schema }
  })
}
