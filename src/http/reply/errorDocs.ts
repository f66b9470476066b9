/** Generates docs/errors.md from the table of errors. */
import { ERRORS, reasonPhrase } from './errors.js'

/** The text of docs/errors.md. */
export function errorsMarkdown(): string {
  const rows = Object.entries(ERRORS)
    .filter(([key]) => key !== 'rest-internal-error')
    .map(([key, [status, text]]) => `| \`${key.replace('-several', '')}\` | ${status} | ${text} |`)
  return `${HEAD}\n${rows.join('\n')}\n${TAIL}`
}

const HEAD = `<!-- Made by "npm run docs" from src/http/reply/errors.ts: change it there. -->

# Errors

An error is JSON, with the status of the answer in it too:

\`\`\`json
{
  "errorKey": "rest-nonexistent-title",
  "messageTranslations": { "en": "The specified title (Nowhere) does not exist" },
  "httpCode": 404,
  "httpReason": "${reasonPhrase(404)}"
}
\`\`\`

Errors of parameters in a path, a query or a form (\`paramvalidator-…\`) have five more fields: \`error\`
(\`parameter-validation-failed\`), \`name\` and \`value\` of the parameter, \`failureCode\` (\`missingparam\`, \`badinteger\`,
\`badbool\`, \`badvalue\`, \`outofrange\`) and \`failureData\` (the bounds, for \`outofrange\`).
Errors of edits have \`actionModuleErrorCode\` instead, where MediaWiki's edit machinery has a code for them. An edit conflict has \`base\` and
\`current\`, the ids of two revisions, and \`local\` and \`remote\`, the changes from the base to the text that was sent and to the current
one, as comparisons show them; it has none of them when there is no such base or its text is hidden.
A wrong method (405) comes with \`Allow\`, a busy server (503), a limit of reads (429) and a full disk (507) with \`Retry-After\`.
A full disk is a 507 and no 503: a proxy asks another instance after a 503, and the instances share the disk. After
\`rest-write-unknown\` the change may be saved or not. An edit that names its base revision can be sent again: it finds its own text saved.

| errorKey | status | English text; $1, $2 are filled in |
|---|---|---|`

const TAIL = `
Anything unexpected is a 500 without detail, \`{"message":"${ERRORS['rest-internal-error'][1]}","errorKey":"rest-internal-error",…}\`;
the cause is in the server's log under the id that the answer has in \`X-Request-Id\`.

Three answers are no JSON: 412 for a precondition that fails and 416 for a range that a file does not have are empty, and what is
no HTTP/1.1 request, or has more than 4 KiB of headers, is answered by the HTTP library with 400, 431 or 505 in HTML.
`
