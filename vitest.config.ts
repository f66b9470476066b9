import { defineConfig } from 'vitest/config'

/** Conformance tests that run on `node:http` too: those of sockets, and some of each kind of answer. */
const NODE_HTTP = ['socket', 'closing', 'lifecycle', 'http', 'hostile', 'hostileKeys', 'bodies', 'accessLog']
  .concat(['readLimit', 'conditional', 'media', 'page', 'history', 'edit', 'errors', 'health'])
  .map((name) => `test/conformance/${name}.test.ts`)

export default defineConfig({
  test: {
    globalSetup: './test/support/compile.ts',
    reporters: ['default', './test/support/countReporter.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // `include` stands in each project: lists of the root are added to those of a project.
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'] } },
      { extends: true, test: { name: 'node:http', include: NODE_HTTP, env: { PALIMPSEST_HTTP: 'node' } } },
    ],
  },
})
