/** Versions of nats-server. */
import { expect, test } from 'vitest'
import { isOlder } from '../../../src/log/jetstream/versions.js'

test.each([
  ['2.10.22', '2.10.23', true],
  ['2.9.25', '2.10.23', true],
  ['1.99.99', '2.10.23', true],
  ['2.10.23', '2.10.23', false],
  ['2.10.23-RC.1', '2.10.23', false],
  ['2.11.0', '2.10.23', false],
  ['2.10.100', '2.10.23', false],
  ['v2.12.3', '2.12.3', false],
  ['3.0.0', '2.12.3', false],
])('%s older than %s: %s', (version, than, answer) => {
  expect(isOlder(version, than)).toBe(answer)
})

test('a version that nobody can read counts as old', () => {
  expect(isOlder('dev', '2.10.23')).toBe(true)
})
