#!/bin/sh
# wasmoon-lua5.1 1.18.10 (npm, Lua 5.1 in WebAssembly): `tonumber('0x')` is 0, and so is '0x' + 0. Lua 5.1 on Linux says nil, and an error.
# The C library that the engine was built with reads the prefix alone as a zero.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts wasmoon-lua5.1@1.18.10
cat > try.mjs <<'JS'
import { Lua } from 'wasmoon-lua5.1'
const lua = await Lua.create()
const run = (source) => lua.doString(source)
for (const source of ["return tostring(tonumber('0x'))", "return tostring('0x' + 0)", "return tostring(tonumber('x'))"]) {
  console.log(source, '->', await run(source))
}
process.exit()
JS
seen=$(node try.mjs)
echo "$seen"
expected="return tostring(tonumber('0x')) -> 0
return tostring('0x' + 0) -> 0
return tostring(tonumber('x')) -> nil"
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
