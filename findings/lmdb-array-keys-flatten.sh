#!/bin/sh
# lmdb 3.5.6 (npm), keys in its default encoding (ordered-binary 1.6.3): arrays as keys lose their shape. ['Moon'] is the key 'Moon', and
# ['A', ['b', 'c']] is the key ['A', 'b', 'c'], so different keys overwrite each other without an error. A BigInt that a double holds comes back
# as a number. Valid input: keys of the documented kinds.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts lmdb@3.5.6 ordered-binary@1.6.3
cat > try.mjs <<'JS'
import { open } from 'lmdb'
const table = open({ path: 'store' })
await table.put('Moon', 'of a text')
await table.put(['Moon'], 'of an array')
await table.put(['A', 'b', 'c'], 'flat')
await table.put(['A', ['b', 'c']], 'nested')
await table.put(10n ** 15n, 'big')
await table.put(2n ** 53n + 1n, 'bigger')
console.log(table.get('Moon'), '|', table.get(['A', 'b', 'c']))
for (const { key, value } of table.getRange()) console.log(typeof key, typeof key === 'object' ? JSON.stringify(key) : String(key), value)
await table.close()
JS
seen=$(node try.mjs)
echo "$seen"
expected='of an array | nested
number 1000000000000000 big
bigint 9007199254740993 bigger
object ["A","b","c"] nested
string Moon of an array'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
