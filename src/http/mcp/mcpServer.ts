/**
 * An MCP server by the SDK `@modelcontextprotocol/server`, an optional package. It has tools for one wiki or several, and pages as resources `wiki://{wiki}/{title}`.
 */
import type * as Sdk from '@modelcontextprotocol/server'
import { UserError } from '../../runtime/userError.js'
import { productVersion } from '../../runtime/version.js'
import { sentenceOf, type Tool, type ToolAnswer, type ToolCall, ToolError } from './call.js'
import { PoolFullError } from '../../workers/hosting/poolErrors.js'
import { Slots } from '../../workers/hosting/slots.js'
import { compareTool, historyTool, languagesTool, linksTool, searchTool } from './listTools.js'
import { outlineTool, pageTool, resourceText, summaryTool } from './pageTools.js'
import type { Schema } from './schemas.js'

export type SdkPackage = Pick<
  typeof Sdk,
  'McpServer' | 'ResourceTemplate' | 'ResourceNotFoundError' | 'fromJsonSchema' | 'createMcpHandler'
>

/** Throws a UserError when the package is not installed. `load` is another loader, for tests. */
export async function loadSdk(
  load: () => Promise<SdkPackage> = () => import('@modelcontextprotocol/server'),
): Promise<SdkPackage> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UserError(
      'MCP needs the package @modelcontextprotocol/server: run "npm install @modelcontextprotocol/server@2.4.0" in the folder of the program',
      { cause: error },
    )
  }
}

/** All tools, in the order in which a program would use them. */
export const TOOLS = [
  searchTool,
  pageTool,
  outlineTool,
  summaryTool,
  linksTool,
  historyTool,
  compareTool,
  languagesTool,
] as readonly Tool<never>[]
/** Elements of the arguments of a call. Tools take a few. */
const MAX_ARGUMENTS = 50
/** Calls of tools at a time, in all; further ones wait. */
const MAX_RUNNING = 4
const MAX_WAITING = 64
const CALL_MS = 60_000
/** Those before a call take no longer. */
const MAX_WAIT_MS = (MAX_WAITING / MAX_RUNNING + 1) * CALL_MS
const INSTRUCTIONS =
  'A wiki. Find pages with search, read them with page, and long ones section by section. Every answer names title, revision, time and permanent address.'
const BROKEN = 'The server failed to answer. Its log has the reason.'

/** Where calls come from. */
export interface McpHost {
  /** Of the wikis, at least one. */
  readonly names: readonly string[]
  /** What a tool gets for a wiki. Called for each call. */
  readonly callOf: (name: string) => ToolCall
  readonly onFault: (error: unknown) => void
}

/** What the servers of all clients share. */
export class McpTools {
  readonly #sdk: SdkPackage
  readonly #schemas: ReadonlyMap<string, { readonly input: SdkSchema; readonly output: SdkSchema }>
  readonly #names: readonly string[]
  readonly #identity = { name: 'palimpsest', version: productVersion() }
  readonly #slots = new Slots({ slots: MAX_RUNNING, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS })

  /** `names`: of the wikis that each call chooses among. */
  constructor(sdk: SdkPackage, names: readonly string[] = []) {
    this.#sdk = sdk
    this.#names = names
    this.#schemas = new Map(
      TOOLS.map(({ name, input, output }) => [
        name,
        { input: sdk.fromJsonSchema(this.#inputOf(input)), output: sdk.fromJsonSchema(output) },
      ]),
    )
  }

  /** With several wikis, each tool asks for one. */
  #inputOf(input: Schema): Schema {
    if (this.#names.length < 2) return input
    const { properties, required } = input as { properties: Record<string, Schema>; required: string[] }
    const wiki = { enum: this.#names, description: 'name of the wiki' }
    return { ...input, properties: { wiki, ...properties }, required: ['wiki', ...required] }
  }

  /** A server for one client. */
  server(host: McpHost): Sdk.McpServer {
    const { McpServer } = this.#sdk
    const server = new McpServer(this.#identity, {
      instructions: INSTRUCTIONS,
      maxToolInputElements: MAX_ARGUMENTS,
    })
    for (const tool of TOOLS) this.#register(tool, server, host)
    this.#registerPages(server, host)
    return server
  }

  #register(tool: Tool<never>, server: Sdk.McpServer, { names, callOf, onFault }: McpHost): void {
    const { name, title, description } = tool
    const { input, output } = this.#schemas.get(name)!
    const annotations = {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    }
    const config = { title, description, inputSchema: input, outputSchema: output, annotations }
    server.registerTool(name, config, async (given) => {
      const { wiki = names[0]!, ...rest } = given as { readonly wiki?: string }
      try {
        const answer = await this.#run(async () => tool.run(rest as never, callOf(wiki)))
        return resultOf(answer)
      } catch (error) {
        const sentence = sentenceOf(error)
        if (sentence === undefined) onFault(error)
        return { isError: true, content: [{ type: 'text', text: sentence ?? BROKEN }] }
      }
    })
  }

  #registerPages(server: Sdk.McpServer, { names, callOf, onFault }: McpHost): void {
    const { ResourceTemplate, ResourceNotFoundError } = this.#sdk
    const template = new ResourceTemplate('wiki://{wiki}/{+title}', { list: undefined })
    const config = { title: 'Page', description: 'A page as Markdown', mimeType: 'text/markdown' }
    server.registerResource('page', template, config, async ({ href }) => {
      const [, wiki = '', title = ''] = /^wiki:\/\/([^/]*)\/([^?#]+)$/.exec(href) ?? []
      const name = decoded(wiki)
      if (name === undefined || !names.includes(name)) throw new ResourceNotFoundError(href)
      try {
        const page = await this.#run(() =>
          resourceText((decoded(title) ?? title).replaceAll('_', ' '), callOf(name)),
        )
        return { contents: [{ uri: href, mimeType: 'text/markdown', text: page }] }
      } catch (error) {
        const sentence = sentenceOf(error)
        if (sentence === undefined) onFault(error)
        throw new ResourceNotFoundError(href, sentence ?? BROKEN)
      }
    })
  }

  /** Bounds the calls at a time, their number and their time. */
  async #run<Result>(action: () => Promise<Result>): Promise<Result> {
    await this.#slots.take().catch((error: unknown) => {
      throw error instanceof PoolFullError
        ? new ToolError('The server has too many calls: try again later.')
        : error
    })
    try {
      return await inTime(action())
    } finally {
      this.#slots.release()
    }
  }
}

type SdkSchema = ReturnType<typeof Sdk.fromJsonSchema>

function resultOf({ fields, text: shown }: ToolAnswer): Sdk.CallToolResult {
  return {
    content: [{ type: 'text', text: shown ?? JSON.stringify(fields) }],
    structuredContent: { ...fields },
  }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ToolError('The answer took too long.')), CALL_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
