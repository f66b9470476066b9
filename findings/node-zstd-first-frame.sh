#!/bin/sh
# zlib of Node 24.21.0 and 26.10.0 (npm package node): a file of two zstd frames, as zstd makes of two files and parallel packers of one.
# Node 24 returns the first frame, without an error, and behind a skippable frame nothing: by zstdDecompressSync(), and by its stream when
# both frames come in one chunk. With a chunk for each frame the stream gives all. Node 26 returns all, as the program zstd does.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
cat > try.mjs <<'JS'
import { createZstdDecompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
const [one, two] = ['one ', 'two'].map((word) => zstdCompressSync(word))
const skippable = Buffer.from('502a4d180400000061626364', 'hex')
for (const [name, frames] of [['two frames', [one, two]], ['a skippable frame first', [skippable, one]]]) {
  const bytes = Buffer.concat(frames)
  const streamed = await text(Readable.from([bytes]).pipe(createZstdDecompress()))
  const apart = await text(Readable.from(frames).pipe(createZstdDecompress()))
  console.log(`${name}: sync "${zstdDecompressSync(bytes)}", one chunk "${streamed}", two "${apart}"`)
}
JS
seen=$(for node in node@24.21.0 node@26.10.0; do echo "$node"; npx --yes --package "$node" node try.mjs; done)
printf "%s\n" "$seen"
expected='node@24.21.0
two frames: sync "one ", one chunk "one ", two "one two"
a skippable frame first: sync "", one chunk "", two "one "
node@26.10.0
two frames: sync "one two", one chunk "one two", two "one two"
a skippable frame first: sync "one ", one chunk "one ", two "one "'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
