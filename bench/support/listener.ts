/** Which processes answer at a port of this machine, from Linux's /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const LISTENS = '0A'
/** Places in a line of those tables. */
const LOCAL = 1
const STATE = 3
const INODE = 9
/** Place in /proc/PID/stat after the name of the program. */
const GROUP = 2

/** The process group that listens on a port; undefined when none does, or when this user may not see it. */
export function listenerGroup(port: number): number | undefined {
  const sockets = new Set(
    TABLES.flatMap((table) => socketsOf(table, port)).map((inode) => `socket:[${inode}]`),
  )
  if (sockets.size === 0) return undefined
  const pid = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && hasOpen(entry, sockets))
  if (pid === undefined) return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[GROUP])
}

function socketsOf(table: string, port: number): string[] {
  const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1)
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields[STATE] === LISTENS && parseInt(fields[LOCAL]!.split(':')[1]!, 16) === port)
    .map((fields) => fields[INODE]!)
}

/** A process that ends meanwhile, or belongs to somebody else, has none. */
function hasOpen(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)))
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (isGone(error)) return ''
    throw error
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}
