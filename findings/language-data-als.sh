#!/bin/sh
# @wikimedia/language-data 2.0.4 (npm): `als` is an alias of Albanian (`sq`), as in ISO 639-3. In Wikimedia's domains, links between
# languages and dumps, `als` is Alemannic: als.wikipedia.org. So its links get the label "shqip". Other codes of domains that differ from
# the standard, such as `bat-smg` and `roa-rup`, are aliases of the right languages.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts @wikimedia/language-data@2.0.4
cat > try.mjs <<'JS'
import data from '@wikimedia/language-data'
for (const code of ['als', 'gsw', 'sq', 'bat-smg', 'roa-rup']) {
  console.log(code, data.isRedirect(code) || '-', data.getAutonym(code))
}
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='als sq shqip
gsw - Alemannisch
sq - shqip
bat-smg sgs žemaitėška
roa-rup rup armãneashti'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
