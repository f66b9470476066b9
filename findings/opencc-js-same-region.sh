#!/bin/sh
# opencc-js 1.4.2 (npm): a converter from a region to the same region changes texts: Taiwan's 污染 becomes 汙染, Hong Kong's 石綫 becomes 石線.
# From Taiwan with words (`twp`) to Taiwan (`tw`), Taiwan's own words become those of the mainland in Taiwan's letters: 軟體 becomes 軟件.
# From `t` to `t` nothing changes. Valid input: words of the region that the text is said to be from.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts opencc-js@1.4.2
cat > try.mjs <<'JS'
import { Converter } from 'opencc-js'
const pairs = [['tw', 'tw', '污染'], ['hk', 'hk', '石綫'], ['t', 't', '污染石綫'], ['twp', 'tw', '軟體'], ['twp', 'tw', '程序']]
for (const [from, to, text] of pairs) console.log(from, to, text, Converter({ from, to })(text))
JS
seen=$(node try.mjs)
echo "$seen"
expected='tw tw 污染 汙染
hk hk 石綫 石線
t t 污染石綫 污染石綫
twp tw 軟體 軟件
twp tw 程序 進程'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
