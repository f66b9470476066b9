#!/bin/sh
# Node 24.21.0 (npm's package node): resourceLimits.maxYoungGenerationSizeMb of a Worker counts for nothing once the process was started with
# --max-semi-space-size: V8 takes the flag for every isolate, so a thread that asks for 48 MB gets the main thread's 2 MB halves, without a
# word. v8.setFlagsFromString('--max-semi-space-size=0') after the start gives later threads their own limits again, and the main thread keeps
# its size.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts=false node@24.21.0
cat > try.mjs <<'JS'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
// The most that new objects take, while some of them stay alive.
const largest = () => {
  const kept = []
  let most = 0
  for (let i = 0; i < 2_000_000; i++) {
    kept[i % 40_000] = { i, list: [i] }
    if (i % 20_000 === 0) {
      const { space_size: size } = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
      most = Math.max(most, size)
    }
  }
  return most < 8 * 2 ** 20 ? 'small' : 'large'
}
if (isMainThread) {
  if (process.argv[2] === 'back') setFlagsFromString('--max-semi-space-size=0')
  const main = largest()
  const thread = new Worker(new URL(import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 48 } })
  thread.once('message', (size) => console.log(`main ${main}, thread ${size}`))
} else parentPort.postMessage(largest())
JS
node=./node_modules/node/bin/node
seen=$("$node" try.mjs; "$node" --max-semi-space-size=2 try.mjs; "$node" --max-semi-space-size=2 try.mjs back)
printf "%s\n" "$seen"
expected='main large, thread large
main small, thread small
main small, thread large'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
