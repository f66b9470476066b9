import { describe, expect, test } from 'vitest'
import { findTokenOwner, newSecret, tokenText } from '../../src/auth/tokens.js'
import { START, temporaryStore } from '../support/store.js'
import { applyChange } from '../support/administration.js'

function storeWithToken(expires: number | null = null) {
  const { store, applier } = temporaryStore()
  applyChange(applier, { kind: 'user', action: 'create', name: 'Ann', passwordHash: null, groups: [] })
  const { secret, secretHash } = newSecret()
  const token = { userId: 1, secretHash, scopes: ['write'], expires, name: 'script' } as const
  applyChange(applier, { kind: 'token', action: 'create', ...token })
  return { store, applier, secret }
}

describe('a token', () => {
  test('leads to its owner and scopes', () => {
    const { store, secret } = storeWithToken()
    expect(findTokenOwner(store.accounts, tokenText(1, secret), START)).toMatchObject({
      user: { id: 1, name: 'Ann' },
      scopes: ['write'],
    })
  })

  test('leads nowhere with another secret, another id or another form', () => {
    const { store, secret } = storeWithToken()
    const other = newSecret().secret
    for (const text of [
      tokenText(1, other),
      tokenText(2, secret),
      tokenText(0, secret),
      tokenText(9_999_999_999, secret),
      `${tokenText(1, secret)}x`,
      tokenText(1, secret).slice(0, -1),
      `plmp_01_${secret}`,
      secret,
      '',
    ]) {
      expect(findTokenOwner(store.accounts, text, START)).toBeUndefined()
    }
  })

  test('leads nowhere from the second on in which it ends', () => {
    const { store, secret } = storeWithToken(START + 10)
    expect(findTokenOwner(store.accounts, tokenText(1, secret), START + 9)).toBeDefined()
    expect(findTokenOwner(store.accounts, tokenText(1, secret), START + 10)).toBeUndefined()
  })

  test('leads nowhere when it is revoked, and its id is not used again', () => {
    const { store, applier, secret } = storeWithToken()
    const revoke = { kind: 'token', action: 'revoke', tokenId: 1 } as const
    expect(applyChange(applier, revoke)).toEqual({ result: 'done' })
    expect(findTokenOwner(store.accounts, tokenText(1, secret), START)).toBeUndefined()
    expect(applyChange(applier, revoke)).toEqual({ result: 'missing' })
    const token = {
      userId: 1,
      secretHash: newSecret().secretHash,
      scopes: [],
      expires: null,
      name: '',
    } as const
    expect(applyChange(applier, { kind: 'token', action: 'create', ...token })).toEqual({
      result: 'token',
      tokenId: 2,
    })
  })

  test('stands in the store and its log as a hash alone', () => {
    const { store, secret } = storeWithToken()
    for (const table of [store.tables.token, store.tables.log] as const) {
      for (const { value } of table.getRange({ start: undefined })) {
        expect(value.includes(secret)).toBe(false)
      }
    }
  })
})
