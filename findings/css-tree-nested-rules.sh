#!/bin/sh
# css-tree 3.2.1 (npm): nested rules are understood after `&` alone. Without it, as browsers take them since 2023, a nested rule becomes a
# node Raw: its selectors and declarations are in no walk, and the text goes out as it came in. `onParseError` tells, if it is given.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts css-tree@3.2.1
cat > try.mjs <<'JS'
import { generate, parse, walk } from 'css-tree'
for (const css of ['.a{&:hover{color:red}}', '.a{.b{color:red}}', '.a{span{color:red}}', '.a{>b{color:red}}']) {
  const faults = []
  const tree = parse(css, { onParseError: ({ message }) => faults.push(message) })
  const seen = []
  walk(tree, (node) => {
    if (node.type === 'Declaration') seen.push(node.property)
    if (node.type === 'Raw') seen.push(`Raw ${node.value}`)
  })
  console.log(generate(tree), '->', seen.join(', '), `(${faults.join() || 'no fault'})`)
}
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='.a{&:hover{color:red}} -> color (no fault)
.a{.b{color:red}} -> Raw .b{color:red} (Identifier is expected)
.a{span{color:red}} -> Raw span{color:red} (Colon is expected)
.a{>b{color:red}} -> Raw >b{color:red} (Identifier is expected)'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
