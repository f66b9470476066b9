#!/bin/sh
# fflate 0.8.3 and pako 3.0.3 (npm): a gzip file of two members, as parallel packers and appended dumps have them, loses data in silence.
# gunzipSync of fflate takes the size that the last member states: from a first member of 26 bytes and a last of 2 come 2 bytes in all.
# Inflate of pako reads on behind a member only if the next one begins in the same push: a piece that ends with the first member ends the
# text, with err 0. ungzip of pako and the streams of fflate read both members.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts fflate@0.8.3 pako@3.0.3
cat > try.mjs <<'JS'
import { gzipSync } from 'node:zlib'
import { gunzipSync, Gunzip } from 'fflate'
import { Inflate, ungzip } from 'pako'
const first = gzipSync('the text of the first one ')
const both = Buffer.concat([first, gzipSync('b.')])
const text = (bytes) => JSON.stringify(Buffer.from(bytes).toString())
console.log('fflate gunzipSync:', text(gunzipSync(both)))
const pieces = []
new Gunzip((piece) => pieces.push(piece)).push(both, true)
console.log('fflate Gunzip:', text(Buffer.concat(pieces)))
console.log('pako ungzip:', text(ungzip(both)))
for (const cut of [first.length - 1, first.length, first.length + 1]) {
  const inflate = new Inflate()
  inflate.push(both.subarray(0, cut), false)
  inflate.push(both.subarray(cut), true)
  console.log(`pako Inflate, cut ${cut - first.length} from the end of the first member: err ${inflate.err}`, text(inflate.result))
}
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='fflate gunzipSync: "th"
fflate Gunzip: "the text of the first one b."
pako ungzip: "the text of the first one b."
pako Inflate, cut -1 from the end of the first member: err 0 "the text of the first one b."
pako Inflate, cut 0 from the end of the first member: err 0 "the text of the first one "
pako Inflate, cut 1 from the end of the first member: err 0 "the text of the first one b."'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
