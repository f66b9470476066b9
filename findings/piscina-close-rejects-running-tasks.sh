#!/bin/sh
# piscina 5.3.2 (npm): close() is documented to wait until all started tasks have completed. As soon as the first of them completes, it
# ends all threads: the other running tasks reject with "Terminating worker thread". A caller has to wait for its own tasks before close().
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts piscina@5.3.2
cat > task.mjs <<'JS'
export default (ms) => new Promise((resolve) => setTimeout(() => resolve(`done after ${ms} ms`), ms))
JS
cat > try.mjs <<'JS'
import { Piscina } from 'piscina'
const pool = new Piscina({ filename: new URL('task.mjs', import.meta.url).href, minThreads: 2, maxThreads: 2 })
await Promise.all([pool.run(500), pool.run(500)]) // both threads have started
const tasks = Promise.allSettled([pool.run(500), pool.run(3000)])
await pool.close()
for (const { value, reason } of await tasks) console.log(value ?? reason.message)
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='done after 500 ms
Terminating worker thread'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
