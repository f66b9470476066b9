import { describe, expect, test } from 'vitest'
import { AddressList } from '../../../src/http/request/addresses.js'
import { BaseUrls, fallbackHost, hostAndPort, type Origin } from '../../../src/http/request/urls.js'

const origin = (parts: Partial<Origin>): Origin => ({
  peerAddress: '10.1.2.3',
  host: 'wiki.example',
  forwardedProto: '',
  forwardedHost: '',
  ...parts,
})
const urls = (trustedProxies: string[] = [], publicUrl = '') =>
  new BaseUrls(
    { publicUrl, basePath: '/w', trustedProxies },
    new AddressList(trustedProxies),
    '127.0.0.1:8080',
  )

describe('a base URL', () => {
  test.each([
    ['the Host header', [], {}, 'http://wiki.example/w'],
    ['the fallback without one', [], { host: '' }, 'http://127.0.0.1:8080/w'],
    ['an IPv6 host', [], { host: '[fe80::1]:81' }, 'http://[fe80::1]:81/w'],
    ['the fallback for a line break', [], { host: 'x\r\nSet-Cookie: a' }, 'http://127.0.0.1:8080/w'],
    ['the fallback for a quote', [], { host: 'x"' }, 'http://127.0.0.1:8080/w'],
    [
      'the Host header, from a stranger',
      ['10.9.0.0/16'],
      { forwardedHost: 'a', forwardedProto: 'https' },
      'http://wiki.example/w',
    ],
    [
      'forwarded headers, from a trusted network',
      ['10.1.0.0/16'],
      { forwardedHost: 'a:1', forwardedProto: 'HTTPS' },
      'https://a:1/w',
    ],
    [
      'the first of forwarded lists',
      ['10.1.2.3'],
      { forwardedHost: 'a, b', forwardedProto: 'https, http' },
      'https://a/w',
    ],
    [
      'http for a scheme that is none',
      ['10.1.2.3'],
      { forwardedProto: 'javascript' },
      'http://wiki.example/w',
    ],
  ] as [string, string[], Partial<Origin>, string][])(
    'is made from %s',
    (_case, proxies, parts, expected) => {
      expect(urls(proxies).baseUrl(() => origin(parts))).toBe(expected)
    },
  )

  test('is the public URL where one is set, whatever the request says', () => {
    const url = urls([], 'https://public.example/rest.php').baseUrl(() => {
      throw new Error('the request is not looked at')
    })
    expect(url).toBe('https://public.example/rest.php')
  })
})

describe('trusted proxies', () => {
  const proxies = new AddressList(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])

  test.each([
    ['10.200.0.1', true],
    ['11.0.0.1', false],
    ['192.0.2.1', true],
    ['192.0.2.2', false],
    ['fd12::1', true],
    ['fe80::1', false],
    ['::ffff:10.0.0.1', true],
    ['0000:0000:0000:0000:0000:ffff:0a00:0001', true],
    ['0000:0000:0000:0000:0000:ffff:0b00:0001', false],
    ['', false],
    ['nonsense', false],
  ])('%s: %s', (address, trusted) => {
    expect(proxies.has(address)).toBe(trusted)
  })
})

test.each([
  ['127.0.0.1', '127.0.0.1:80'],
  ['::1', '[::1]:80'],
  ['localhost', 'localhost:80'],
])('an address and a port make a host: %s', (host, expected) => {
  expect(hostAndPort(host, 80)).toBe(expected)
})

test('wildcard addresses are no hosts for links', () => {
  expect([fallbackHost('0.0.0.0', 80), fallbackHost('::', 80), fallbackHost('10.0.0.1', 80)]).toEqual([
    'localhost:80',
    'localhost:80',
    '10.0.0.1:80',
  ])
})
