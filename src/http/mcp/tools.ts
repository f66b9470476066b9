/** All tools, in the order in which a program would use them. */
import { compareTool, historyTool, languagesTool, linksTool, searchTool } from './listTools.js'
import { outlineTool, pageTool, summaryTool } from './pageTools.js'
import type { Tool } from './tool.js'

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
