#!/bin/sh
# unbzip2-stream 1.4.3 (npm) and bzip2 (1.0.8): one byte behind the last stream of a file. bzip2 -d gives the data, a warning and status 0.
# The library gives the same data, then a TypeError that names no reason: the message it also has for data that are cut off.
set -eu
command -v bzip2 > /dev/null || { echo 'needs bzip2'; exit 1; }
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts unbzip2-stream@1.4.3
seq 1 2000 > plain
bzip2 -c plain > sound.bz2
{ cat sound.bz2; printf '\n'; } > longer.bz2
head -c 2000 sound.bz2 > cut.bz2
cat > try.mjs <<'JS'
import { createReadStream } from 'node:fs'
import unbzip2 from 'unbzip2-stream'
let bytes = 0
createReadStream(process.argv[2])
  .pipe(unbzip2())
  .on('data', (chunk) => (bytes += chunk.length))
  .on('error', (error) => console.log(`${bytes} bytes, then ${error.name}: ${error.message}`))
  .on('end', () => console.log(`${bytes} bytes`))
JS
seen=$(
  echo "bzip2: $(bzip2 -d -c longer.bz2 2> warning | wc -c) bytes, $(grep -o 'trailing garbage after EOF ignored' warning)"
  for file in sound longer cut; do echo "unbzip2-stream, $file: $(node try.mjs $file.bz2)"; done
)
echo "$seen"
expected='bzip2: 8893 bytes, trailing garbage after EOF ignored
unbzip2-stream, sound: 8893 bytes
unbzip2-stream, longer: 8893 bytes, then TypeError: Cannot read properties of undefined (reading '"'0'"')
unbzip2-stream, cut: 0 bytes, then TypeError: Cannot read properties of undefined (reading '"'0'"')'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
