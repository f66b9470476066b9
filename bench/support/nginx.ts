/** nginx as a server of static files: one worker, tuned for the fastest answers. */
import { writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { userInfo } from 'node:os'
import type { Pinning } from './pinning.js'
import { freePort } from './ports.js'
import type { Sandbox } from './sandbox.js'
import type { LoadedServer } from './loadTurns.js'

const HOST = '127.0.0.1'
const START_TIMEOUT_MS = 10_000
const PROBE_INTERVAL_MS = 20

/** Serves the files below `root` on a free port, on the core of the servers. Throws if nginx does not start. */
export async function startNginx(
  sandbox: Sandbox,
  { pin, serverCore }: Pinning,
  nginx: string,
  root: string,
): Promise<LoadedServer> {
  const folder = sandbox.folder('nginx')
  const configuration = join(folder, 'nginx.conf')
  const port = await freePort()
  writeFileSync(configuration, nginxConfiguration({ folder, root, port }))
  const child = await sandbox.start(...pin(serverCore, nginx, ['-p', folder, '-c', configuration]))
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('nginx did not start')
    await delay(PROBE_INTERVAL_MS)
  }
  return { name: 'nginx static', group: child.pid!, origin: `http://${HOST}:${port}` }
}

function nginxConfiguration(place: { folder: string; root: string; port: number }): string {
  const { folder, root, port } = place
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const { uid, username } = userInfo()
  // Otherwise, if root starts nginx, its worker becomes a user who may not read the folder.
  return `${uid === 0 ? `user ${username};\n` : ''}daemon off;
worker_processes 1;
worker_rlimit_nofile 8192;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  sendfile off;
  default_type application/json;
  open_file_cache max=4000 inactive=1h;
  open_file_cache_valid 1h;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};\n`).join('')}
  server {
    listen ${HOST}:${port};
    root ${root};
  }
}
`
}

async function accepts(port: number): Promise<boolean> {
  const socket = createConnection(port, HOST)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
