#!/bin/sh
# uws-pack 20.0.8 (npm, a repack of uWebSockets.js with binaries for Node 20 and 22): a request whose first line comes in two TCP
# segments. Of the 33 places where `GET /healthz` with a Host can be cut, 11 give 505, all between the target and the end of the version,
# and the one behind the method. Needs Node 20 or 22.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts uws-pack@20.0.8
cat > try.mjs <<'JS'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { App, us_socket_local_port } from 'uws-pack'
let port
App()
  .any('/*', (response) => response.end('ok'))
  .listen('127.0.0.1', 0, 1, (socket) => (port = us_socket_local_port(socket)))
const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const failed = []
for (let at = 1; at < request.length; at++) {
  const client = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(client, 'connect')
  client.write(request.slice(0, at))
  await sleep(10)
  client.write(request.slice(at))
  const [answer] = await once(client, 'data')
  if (answer.toString().startsWith('HTTP/1.1 505')) failed.push(at)
  client.destroy()
}
console.log(`505 at ${failed.length} of ${request.length - 1} places: ${failed.join(' ')}`)
process.exit()
JS
seen=$(node try.mjs)
echo "$seen"
[ "$seen" = '505 at 11 of 33 places: 4 13 14 15 16 17 18 19 20 21 22' ] || { echo 'changed'; exit 1; }
