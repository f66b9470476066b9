import { expect, test } from 'vitest'
import { readQuery } from '../../../src/http/request/params.js'

test.each([
  ['nothing', '', {}],
  ['a value', 'a=1', { a: '1' }],
  ['a name alone', 'a', { a: '' }],
  ['an empty value', 'a=', { a: '' }],
  ['equals signs in a value', 'a=b=c', { a: 'b=c' }],
  ['the last of several', 'a=1&a=2', { a: '2' }],
  ['plus and escapes', 'a=b+c%20d%2B', { a: 'b c d+' }],
  ['an encoded name', '%61=1', { a: '1' }],
  ['a list', 'a[]=1', { a: ['1'] }],
  ['an encoded list', 'a%5B%5D=1', { a: ['1'] }],
  ['a list after a value', 'a=1&a[]=2', { a: ['2'] }],
  ['a value after a list', 'a[x]=1&a=2', { a: '2' }],
  ['an open bracket, which is part of a name', 'a[=1', {}],
  ['other names', 'c=1&b=2&=3&&', { b: '2' }],
  ['names of objects', '__proto__=1&constructor=2', {}],
])('reads %s as PHP does', (_case, query, expected) => {
  expect(Object.fromEntries(readQuery(query, ['a', 'b']))).toEqual(expected)
})
