#!/bin/sh
# flexsearch 0.8.212 (npm): a search for one word with an offset behind the last result is undefined, not an empty list, so results.length
# throws on the page after the last. Two words, or an index with resolution 1, give an empty list.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts flexsearch@0.8.212
cat > try.mjs <<'JS'
import flexsearch from 'flexsearch'
for (const resolution of [9, 1]) {
  const index = new flexsearch.Index({ resolution })
  index.add(1, 'moon').add(2, 'the sun and the moon')
  for (const query of ['moon', 'moon sun']) {
    for (const offset of [0, 1, 2]) {
      console.log(`resolution ${resolution}, ${query}, offset ${offset}: ${JSON.stringify(index.search(query, { offset }))}`)
    }
  }
}
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='resolution 9, moon, offset 0: [1,2]
resolution 9, moon, offset 1: [2]
resolution 9, moon, offset 2: undefined
resolution 9, moon sun, offset 0: [2]
resolution 9, moon sun, offset 1: []
resolution 9, moon sun, offset 2: []
resolution 1, moon, offset 0: [1,2]
resolution 1, moon, offset 1: [2]
resolution 1, moon, offset 2: []
resolution 1, moon sun, offset 0: [2]
resolution 1, moon sun, offset 1: []
resolution 1, moon sun, offset 2: []'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
