#!/bin/sh
# cldrpluralruleparser 1.5.0 (npm, Wikimedia's) with the rules of cldr-core 48.2.0: the operand e, which French, Spanish, Italian,
# Portuguese and others need for "many", makes a rule false in silence. So a million takes the form "other" (in French "1 000 000 jours"
# in place of "1 000 000 de jours"), where Intl.PluralRules says "many".
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts cldrpluralruleparser@1.5.0 cldr-core@48.2.0
cat > try.mjs <<'JS'
import { createRequire } from 'node:module'
import holds from 'cldrpluralruleparser'
const data = createRequire(import.meta.url)('cldr-core/supplemental/plurals.json')
for (const language of ['fr', 'es', 'it', 'pt', 'ca']) {
  const rules = data.supplemental['plurals-type-cardinal'][language]
  for (const number of [1, 5, 1000000]) {
    const form = ['one', 'many'].find((name) => holds(rules[`pluralRule-count-${name}`], number)) ?? 'other'
    console.log(`${language} ${number}: ${form}, Intl: ${new Intl.PluralRules(language).select(number)}`)
  }
}
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='fr 1: one, Intl: one
fr 5: other, Intl: other
fr 1000000: other, Intl: many
es 1: one, Intl: one
es 5: other, Intl: other
es 1000000: other, Intl: many
it 1: one, Intl: one
it 5: other, Intl: other
it 1000000: other, Intl: many
pt 1: one, Intl: one
pt 5: other, Intl: other
pt 1000000: other, Intl: many
ca 1: one, Intl: one
ca 5: other, Intl: other
ca 1000000: other, Intl: many'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
