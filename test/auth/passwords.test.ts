import { describe, expect, test } from 'vitest'
import {
  MAX_PASSWORD_BYTES,
  passwordFault,
  Passwords,
  TooManyPasswordsError,
} from '../../src/auth/passwords.js'

describe('a password', () => {
  test('belongs to its own hash and to no other', async () => {
    const passwords = new Passwords()
    const stored = await passwords.hash('correct horse')
    expect(stored).toMatch(/^scrypt\$15\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
    expect(await passwords.matches('correct horse', stored)).toBe(true)
    expect(await passwords.matches('correct horsE', stored)).toBe(false)
    expect(await passwords.matches('', stored)).toBe(false)
  })

  test('is hashed with a salt of its own', async () => {
    const passwords = new Passwords()
    expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'))
  })

  test('is the same in composed and decomposed accents', async () => {
    const passwords = new Passwords()
    expect(await passwords.matches('cafe\u0301', await passwords.hash('caf\u00e9'))).toBe(true)
  })

  test('of the greatest length counts to its last byte', async () => {
    const passwords = new Passwords()
    const longest = 'x'.repeat(MAX_PASSWORD_BYTES)
    const stored = await passwords.hash(longest)
    expect(await passwords.matches(longest, stored)).toBe(true)
    expect(await passwords.matches(`${longest.slice(0, -1)}y`, stored)).toBe(false)
    expect(await passwords.matches(`${longest}x`, stored)).toBe(false)
  })

  test('never belongs to an account without one', async () => {
    const passwords = new Passwords()
    for (const stored of [null, undefined, '', 'scrypt$15$8$1$$', 'plain']) {
      expect(await passwords.matches('', stored)).toBe(false)
    }
  })

  test('is refused when too many wait', { tags: ['hostile'] }, async () => {
    const passwords = new Passwords()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 35 }, () => passwords.matches('x', undefined)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(3)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(TooManyPasswordsError)
    expect(await passwords.matches('x', undefined)).toBe(false)
  })

  test('must have a length between its bounds', () => {
    expect(passwordFault('seven77', 8)).toBe('a password has at least 8 letters')
    // Four letters, whatever they are made of.
    expect(passwordFault('e\u0301e\u0301e\u0301e\u0301', 5)).toBe('a password has at least 5 letters')
    expect(passwordFault('𝒶𝒷𝒸𝒹𝑒𝒻𝑔𝒽', 8)).toBeUndefined()
    expect(passwordFault('x'.repeat(1024), 8)).toBeUndefined()
    expect(passwordFault('é'.repeat(513), 8)).toBe('a password has at most 1024 bytes')
  })
})
