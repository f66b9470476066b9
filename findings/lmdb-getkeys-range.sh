#!/bin/sh
# lmdb 3.5.6 (npm): getKeys() writes `values: false` into the range that the caller gave. getRange() with the same object afterwards
# yields keys alone, and a frozen range makes getKeys() throw. Valid input: three keys, one range object used twice.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts lmdb@3.5.6
cat > try.mjs <<'JS'
import { open } from 'lmdb'
const table = open({ path: 'store' })
for (const key of ['a', 'b', 'c']) await table.put(key, key.toUpperCase())
const range = { start: 'a', end: 'c' }
const before = [...table.getRange(range)].map((entry) => JSON.stringify(entry)).join(' ')
const keys = [...table.getKeys(range)].join(' ')
const after = [...table.getRange(range)].map((entry) => JSON.stringify(entry)).join(' ')
let frozen = 'no error'
try {
  for (const _ of table.getKeys(Object.freeze({ start: 'a', end: 'c' })));
} catch (error) {
  frozen = error.message
}
console.log([before, keys, after, JSON.stringify(range), frozen].join('\n'))
await table.close()
JS
seen=$(node try.mjs)
echo "$seen"
expected='{"key":"a","value":"A"} {"key":"b","value":"B"}
a b
"a" "b"
{"start":"a","end":"c","values":false}
Cannot add property values, object is not extensible'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
