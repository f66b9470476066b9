/** `meta=userinfo`, and `meta=tokens` for writing. */
import { ANONYMOUS_TOKEN } from '../../../../auth/sessions.js'
import { formatTimestamp } from '../../../../domain/timestamp.js'
import { choicesOr, limit, type Values } from '../../frame/declaration.js'
import { type Fields, Table } from '../../frame/values.js'
import { defineMeta, type QueryCall } from '../module.js'

const TOKEN_TYPES = ['createaccount', 'csrf', 'login', 'patrol', 'rollback', 'userrights', 'watch'] as const
/** Token types that depend on the session alone, before and after the login. */
const OF_SESSION: readonly string[] = ['createaccount', 'login']

export const tokens = defineMeta({
  name: 'tokens',
  prefix: '',
  summary: 'Tokens for actions that change something',
  parameters: { type: choicesOr(['csrf'], TOKEN_TYPES, 'what for', { all: true }) },
  run({ cookie, identity, isForeign, warnings, module, reuse }, { type }) {
    reuse.isPersonal = true
    if (isForeign) {
      const text = 'Tokens may not be obtained when the same-origin policy is not applied.'
      warnings.add(module.path, 'sameorigin', text)
      return {}
    }
    const { csrfToken } = identity
    const entries = type.map((name) => {
      if (OF_SESSION.includes(name)) return [`${name}token`, cookie.token(name)]
      const isPlain = name === 'csrf' || csrfToken === undefined || csrfToken === ANONYMOUS_TOKEN
      return [`${name}token`, isPlain ? (csrfToken ?? ANONYMOUS_TOKEN) : cookie.token(name)]
    })
    return { tokens: Object.fromEntries(entries) as unknown }
  },
})

const USER_PROPERTIES = [
  'blockinfo',
  'hasmsg',
  'groups',
  'groupmemberships',
  'implicitgroups',
  'rights',
  'changeablegroups',
  'options',
  'editcount',
  'ratelimits',
  'theoreticalratelimits',
  'email',
  'realname',
  'acceptlang',
  'registrationdate',
  'unreadcount',
  'centralids',
  'latestcontrib',
  'cancreateaccount',
] as const
const parameters = {
  prop: choicesOr([], USER_PROPERTIES, 'what to tell', { all: true }),
  attachedwiki: limit(),
}

export const userInfo = defineMeta({
  name: 'userinfo',
  prefix: 'ui',
  summary: 'Who the client is',
  parameters: { prop: parameters.prop },
  run(call, { prop }) {
    call.reuse.isPersonal = true
    const { editor, anonymous } = call.identity
    const further = prop.map((name) => propertiesOf(call)[name] ?? {})
    return {
      userinfo: {
        id: editor.id ?? 0,
        name: editor.name,
        ...(anonymous && { anon: true }),
        ...Object.assign({}, ...further),
      },
    }
  },
})

type Property = Values<typeof parameters>['prop'][number]

function propertiesOf({ identity, context }: QueryCall): Readonly<Partial<Record<Property, Fields>>> {
  const { editor, groups, rights, anonymous } = identity
  const user = editor.id === null ? undefined : context.store.accounts.getUser(editor.id)
  return {
    // This server has no blocks and no messages. MediaWiki then answers with empty values.
    hasmsg: { messages: false },
    groups: { groups },
    groupmemberships: { groupmemberships: [] },
    implicitgroups: { implicitgroups: groups.filter((group) => group === '*' || group === 'user') },
    rights: { rights: [...rights] },
    options: { options: new Table({}) },
    ...(anonymous && { editcount: { editcount: 0 } }),
    ratelimits: { ratelimits: new Table({}) },
    realname: { realname: '' },
    ...(!anonymous && user && { registrationdate: { registrationdate: formatTimestamp(user.registered) } }),
    unreadcount: { unreadcount: 0 },
    cancreateaccount: { cancreateaccount: context.config.createAccounts },
  }
}
