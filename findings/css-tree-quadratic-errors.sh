#!/bin/sh
# css-tree 3.2.1 (npm): each error of a sheet takes time for the whole sheet, since `Object.assign` calls the getter `formattedMessage`, which
# splits the source into lines. So 100 kB of `}{` take seconds, and four times the length takes sixteen times as long.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts css-tree@3.2.1
cat > try.mjs <<'JS'
import { parse } from 'css-tree'
const ms = (length) => {
  const before = process.cpuUsage()
  parse('}{'.repeat(length / 2))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
ms(10_000)
const [short, long] = [ms(20_000), ms(80_000)]
console.error(`${short} ms, ${long} ms`)
console.log(long > 7 * short ? 'quadratic' : 'linear')
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
[ "$seen" = quadratic ] || { echo 'changed'; exit 1; }
