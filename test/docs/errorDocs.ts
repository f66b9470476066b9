/** Generates docs/errors.md from the table of errors. */
import { ERRORS, reasonPhrase } from '../../src/http/reply/errors.js'

/** The text of docs/errors.md. */
export function errorsMarkdown(): string {
  const rows = Object.entries(ERRORS)
    .filter(([key]) => key !== 'rest-internal-error')
    .map(([key, [status, text]]) => `| \`${key.replace('-several', '')}\` ${status} | ${text} |`)
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

Errors of parameters in a path, a query or a form (\`paramvalidator-…\`) have five more fields:

* \`error\` is \`parameter-validation-failed\`.
* \`name\` and \`value\` are those of the parameter.
* \`failureCode\` is \`missingparam\`, \`badinteger\`, \`badbool\`, \`badvalue\` or \`outofrange\`.
* \`failureData\` has the bounds, for \`outofrange\`.

Errors of edits have \`actionModuleErrorCode\` instead, where MediaWiki's edit machinery has a code for them. An edit conflict has four
more fields: \`base\` and \`current\`, the ids of two revisions; \`local\` and \`remote\`, the changes from the base to the sent text and to the
current one, in the form of comparisons. They are absent when there is no such base or its text is hidden.

A wrong method (405) comes with \`Allow\`. A busy server (503), a limit of reads (429) and a full disk (507) come with \`Retry-After\`.
A full disk is no 503, since a proxy would ask another instance with the same disk. After \`rest-write-unknown\`, repeat an edit that names its
base revision: if the first one was saved, the second one saves nothing.

| errorKey and status | English text; $1, $2 are filled in |
|---|---|`

const TAIL = `
Unexpected errors are a 500 without detail, \`{"message":"${ERRORS['rest-internal-error'][1]}","errorKey":"rest-internal-error",…}\`.
The server's log has the cause, under the id in the answer's \`X-Request-Id\`.

Some answers are not JSON:

* 412, for a failed precondition, and 416, for a range outside of a file, are empty.
* The HTTP library answers 400, 431 or 505 in HTML when a request is not HTTP/1.1 or has more than 4 KiB of headers.
`
