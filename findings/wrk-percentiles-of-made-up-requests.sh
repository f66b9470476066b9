#!/bin/sh
# wrk 4.1.0 (Debian) beside autocannon 9.0.0 (npm): wrk's percentiles count requests that nobody sent. A server stands still for 100 ms in each
# second and answers at once otherwise. Over 8 connections at most 8 requests a second wait, far below one in a hundred. autocannon's p99 is
# a few milliseconds; wrk's is above 50 ms, since it adds a slow request once more for each mean interval that it took. So wrk's p99 says
# for which share of the time a server stood, not for which share of its answers. README and help say
# nothing of it; the changelog of 4.0.0 has a line on coordinated omission.
set -eu
command -v wrk > /dev/null || { echo 'wrk is missing (Debian: apt install wrk)'; exit 0; }
folder=$(mktemp -d); cd "$folder"
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const server = createServer((_, response) => {
  response.end('ok')
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
setInterval(() => {
  const end = performance.now() + 100
  while (performance.now() < end);
}, 1000)
JS
node server.mjs > port & server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
npm init -y > /dev/null
npm install --silent --ignore-scripts autocannon@9.0.0
url="http://127.0.0.1:$(cat port)/"
wrk -t1 -c8 -d6s --latency "$url" > wrk.txt
npx autocannon -c 8 -d 6 --json "$url" > autocannon.json 2> /dev/null
node --input-type=module -e "
import { readFileSync } from 'node:fs'
const [, value, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(readFileSync('wrk.txt', 'utf8'))
const wrk = value * { us: 0.001, ms: 1, s: 1000 }[unit]
const { latency } = JSON.parse(readFileSync('autocannon.json', 'utf8'))
console.log('p99 in ms: wrk', Math.round(wrk), 'autocannon', latency.p99)
if (!(wrk > 50 && latency.p99 < 20)) { console.log('changed'); process.exit(1) }
"
