/** `action=query`, limited to what clients need to start: tokens, the wiki and the user. */
import { formatTimestamp } from '../../domain/timestamp.js'
import { ANONYMOUS_TOKEN } from '../../auth/sessions.js'
import { ActionError, type ActionParameters } from './parameters.js'
import type { ActionCall, ActionResult } from './call.js'
import { siteInfo } from './siteInfo.js'

const META = ['siteinfo', 'tokens', 'userinfo'] as const
/** Modules of MediaWiki that are missing here. They are an error: a client would take the wiki for empty. */
const META_ELSEWHERE = ['allmessages', 'authmanagerinfo', 'filerepoinfo', 'languageinfo']
const TOKEN_TYPES = ['createaccount', 'csrf', 'login', 'patrol', 'rollback', 'userrights', 'watch'] as const
/** Token types that depend on the session alone, before and after the login. */
const OF_SESSION: readonly string[] = ['createaccount', 'login']
const USER_PROPERTIES = [
  'blockinfo',
  'hasmsg',
  'groups',
  'implicitgroups',
  'rights',
  'options',
  'ratelimits',
  'registrationdate',
] as const

/**
 * Throws a badvalue for modules that MediaWiki has and this server lacks. With only a warning, a client would take the
 * wiki for empty. Names unknown to MediaWiki too give a warning, as there.
 */
export function query(call: ActionCall): ActionResult {
  const { parameters, shape } = call
  requireNoFurtherModules(parameters)
  const meta = parameters.listOf('query', 'meta', META, [])
  const parts = meta.map((module) => [module, MODULES[module](call)] as const)
  const result = Object.assign({}, ...parts.map(([, part]) => part)) as ActionResult
  return { ...shape.flag('batchcomplete', true), ...(meta.length > 0 && { query: result }) }
}

function requireNoFurtherModules(parameters: ActionParameters): void {
  const generator = parameters.get('generator')
  if (generator) throw new ActionError('badgenerator', `Unknown "generator=${generator.slice(0, 100)}".`)
  for (const name of ['list', 'prop'] as const) parameters.refuse(name, parameters.wordsOf(name))
  const meta = parameters.wordsOf('meta').filter((word) => META_ELSEWHERE.includes(word))
  parameters.refuse('meta', meta)
}

const MODULES: Readonly<Record<(typeof META)[number], (call: ActionCall) => ActionResult>> = {
  siteinfo: siteInfo,
  tokens,
  userinfo: userInfo,
}

function tokens({ parameters, cookie, identity }: ActionCall): ActionResult {
  const { csrfToken } = identity
  const types = parameters.listOf('tokens', 'type', TOKEN_TYPES, ['csrf'])
  const entries = types.map((type) => {
    if (OF_SESSION.includes(type)) return [`${type}token`, cookie.token(type)]
    if (type === 'csrf' || csrfToken === undefined || csrfToken === ANONYMOUS_TOKEN) {
      return [`${type}token`, csrfToken ?? ANONYMOUS_TOKEN]
    }
    return [`${type}token`, cookie.token(type)]
  })
  return { tokens: Object.fromEntries(entries) as unknown }
}

function userInfo({ parameters, shape, context, identity }: ActionCall): ActionResult {
  const { editor, anonymous, groups, rights } = identity
  const wanted = parameters.listOf('userinfo', 'uiprop', USER_PROPERTIES, [])
  const user = editor.id === null ? undefined : context.store.accounts.getUser(editor.id)
  const properties: Readonly<Record<(typeof USER_PROPERTIES)[number], ActionResult>> = {
    // This server has no blocks and no messages. MediaWiki then answers with empty values.
    blockinfo: {},
    hasmsg: shape.flag('messages', false),
    groups: { groups },
    implicitgroups: { implicitgroups: groups.filter((group) => group === '*' || group === 'user') },
    rights: { rights: [...rights] },
    options: { options: {} },
    ratelimits: { ratelimits: {} },
    registrationdate: user === undefined ? {} : { registrationdate: formatTimestamp(user.registered) },
  }
  return {
    userinfo: {
      id: editor.id ?? 0,
      name: editor.name,
      ...(anonymous && shape.flag('anon', true)),
      ...Object.assign({}, ...wanted.map((property) => properties[property])),
    },
  }
}
