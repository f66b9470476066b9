#!/bin/sh
# Expands a text with a template and a module from the folder templates/, without a wiki.
cd "$(dirname "$0")" || exit 1
exec ../bin/palimpsest expand --pages templates - <<'TEXT'
{{Greeting|reader}} Ten squared is {{#invoke:Square|of|10}}.
TEXT
