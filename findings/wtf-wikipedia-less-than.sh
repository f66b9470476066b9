#!/bin/sh
# wtf_wikipedia 10.4.2 (npm): everything between a "<" and the next ">" disappears from the text, also when it can be no tag, as in
# comparisons of numbers. MediaWiki shows both signs. `{{#if:}}` gives nothing on either side, while `{{lc:}}` and `{{formatnum:}}` work.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts wtf_wikipedia@10.4.2
cat > try.mjs <<'JS'
import wtf from 'wtf_wikipedia'
for (const text of ['1 < 2 and 3 > 2', '1 &lt; 2 and 3 &gt; 2', 'a{{#if:x|yes|no}}b', '{{lc:ABC}}', '{{formatnum:12345.678}}']) {
  console.log(`${text} -> ${wtf(text).text()}`)
}
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='1 < 2 and 3 > 2 -> 1 2
1 &lt; 2 and 3 &gt; 2 -> 1 &lt; 2 and 3 &gt; 2
a{{#if:x|yes|no}}b -> ab
{{lc:ABC}} -> abc
{{formatnum:12345.678}} -> 12,345.678'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
