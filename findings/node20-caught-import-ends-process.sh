#!/bin/sh
# Node 20.20.2 and 22.23.3 (npm package node): an ES module imports a CommonJS module that throws, as wrappers of native packages do where no
# binary loads. The import() of the wrapper is caught, and the program goes on. In Node 20 the same error then ends the process as uncaught.
# Node 22 does not. A package found it: @btc-vision/uwebsockets.js 20.57.0 on a system with an older libc. require() of it can be caught.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo "throw new Error('no binary')" > native.cjs
echo "import native from './native.cjs'; export default native" > wrapper.mjs
cat > try.mjs <<'JS'
await import('./wrapper.mjs').catch(({ message }) => console.log('caught:', message))
console.log('goes on')
JS
seen=$(for node in node@20.20.2 node@22.23.3; do
  npx --yes --package "$node" node try.mjs 2> errors && status=0 || status=$?
  echo "$node: status $status, uncaught: $(grep -c '^Error: no binary' errors || true)"
done)
printf "%s\n" "$seen"
expected='caught: no binary
goes on
node@20.20.2: status 1, uncaught: 1
caught: no binary
goes on
node@22.23.3: status 0, uncaught: 0'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
