#!/bin/sh
# tar-stream 3.2.2 (npm) and GNU tar: an archive made with `tar --sparse`. Of the format `posix`, the library gives a plain file of another
# name (./GNUSparseFile.PID/name) and a tenth of the size, whose contents are a map of the holes and the parts between them. Only the pax
# headers tell. Of the format `gnu`, the entry has no type, and the contents lack the map too. tar itself restores the file from both.
set -eu
command -v tar > /dev/null || { echo 'needs GNU tar'; exit 1; }
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts tar-stream@3.2.2
truncate -s 300000 disk.bin
printf head | dd of=disk.bin conv=notrunc status=none
printf tail | dd of=disk.bin conv=notrunc status=none bs=1 seek=200000
for format in gnu posix; do tar --sparse --format=$format -cf $format.tar disk.bin; done
cat > try.mjs <<'JS'
import { createReadStream } from 'node:fs'
import { extract } from 'tar-stream'
for (const format of ['gnu', 'posix']) {
  const entries = createReadStream(`${format}.tar`).pipe(extract())
  for await (const entry of entries) {
    const { name, type, size, pax } = entry.header
    const told = pax?.['GNU.sparse.realsize'] ?? '-'
    console.log(format, name.replace(/\d+/, 'PID'), type, size < 10_000 ? 'below 10000' : size, told)
    entry.resume()
  }
}
JS
seen=$(node try.mjs; for format in gnu posix; do mkdir $format; tar -C $format -xf $format.tar; wc -c < $format/disk.bin; done)
printf "%s\n" "$seen"
expected='gnu disk.bin null below 10000 -
posix ./GNUSparseFile.PID/disk.bin file below 10000 300000
300000
300000'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
