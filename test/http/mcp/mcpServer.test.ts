/** The SDK of MCP, which is optional. */
import { expect, test } from 'vitest'
import { UserError } from '../../../src/runtime/userError.js'
import { loadSdk, TOOLS } from '../../../src/http/mcp/mcpServer.js'

test('a missing SDK is an error that says what to install', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
  const loading = loadSdk(() => Promise.reject(missing))
  await expect(loading).rejects.toThrow(UserError)
  await expect(loading).rejects.toThrow('npm install @modelcontextprotocol/server@2.4.0')
})

test('another fault of the SDK stays as it is', async () => {
  await expect(loadSdk(() => Promise.reject(new SyntaxError('broken')))).rejects.toThrow(SyntaxError)
})

test('schemas of all tools can be compiled, and take the tool for itself alone', async () => {
  const { fromJsonSchema } = await loadSdk()
  for (const { name, input, output } of TOOLS) {
    const [takes, gives] = [fromJsonSchema(input), fromJsonSchema(output)]
    expect(await takes['~standard'].validate({ unknown: 1 }), name).toHaveProperty('issues')
    expect(await gives['~standard'].validate({}), name).toHaveProperty('issues')
  }
})
