#!/bin/sh
# temml 0.13.5 (npm): \mbox, a command of TeX itself and common in formulas of Wikipedia, is an unknown function. So are commands of
# MediaWiki's TeX (\and, \or, \part, \officialeuro), of which others work (\isin, \euro, \thetasym). \begin{align} works in displays alone.
set -eu
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts temml@0.13.5
cat > try.mjs <<'JS'
import temml from 'temml'
const formulas = ['\\text{a}', '\\mbox{a}', 'x \\or y', 'x \\and y', '\\isin', '\\part', '\\euro', '\\officialeuro', '\\begin{align}a&=b\\end{align}']
for (const formula of formulas) {
  try {
    temml.renderToString(formula, { throwOnError: true })
    console.log(`${formula}: MathML`)
  } catch (error) {
    console.log(`${formula}: ${error.message.split(' at position')[0].trim()}`)
  }
}
JS
seen=$(node try.mjs)
printf "%s\n" "$seen"
expected='\text{a}: MathML
\mbox{a}: Unsupported function name: \mbox
x \or y: Unsupported function name: \or
x \and y: Unsupported function name: \and
\isin: MathML
\part: Unsupported function name: \part
\euro: MathML
\officialeuro: Unsupported function name: \officialeuro
\begin{align}a&=b\end{align}: {align} can be used only in display mode.'
[ "$seen" = "$expected" ] || { echo 'changed'; exit 1; }
