#!/bin/sh
# banana-i18n 2.4.0 (npm, Wikimedia's messages in JavaScript): PLURAL reads a number as far as its first separator. So a number that was
# formatted before takes the form of its first group, "1,000 page". A magic word that the library does not know, such as SITENAME, is an
# error that is thrown and not text.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts banana-i18n@2.4.0
cat > try.mjs <<'JS'
import Banana from 'banana-i18n'
const banana = new Banana('en', { messages: { pages: '$1 {{PLURAL:$1|page|pages}}', site: 'About {{SITENAME}}' } })
for (const number of [1, 2, 1000, '1,000', '1,234,567', '2,000']) console.log(banana.i18n('pages', number))
try {
  console.log(banana.i18n('site'))
} catch (error) {
  console.log(error.message)
}
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='1 page
2 pages
1000 pages
1,000 page
1,234,567 page
2,000 pages
unknown operation "sitename"'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
