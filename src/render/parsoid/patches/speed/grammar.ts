/**
 * A faster tokenizer from the same grammar. The package's compiler writes a function that makes some thousand functions
 * and objects for each text, most of which are short. Here they are made once and serve one text after the other.
 * Classes of characters are looked up in tables.
 */
import { editSource, type SourceEdit } from '../sourceEdits.js'

/** Parsers beyond this number are not kept. Texts wait for each other, so there are often some at a time. */
const MAX_IDLE = 30
/** Larger counters are not kept for the next text. */
const MAX_KEPT_COUNTS = 1_000_000

const REUSE: readonly SourceEdit[] = [
  {
    before: `function peg$parse(input, options = {}) {
  var parser = this,
      peg$currPos = 0,
      peg$savedPos = 0,
      peg$FAILED = {},
      peg$startRule = options.startRule || '(DEFAULT)',
      peg$result;
`,
    after: `const peg$idle = [];
function peg$parse(input, options) {
  return (peg$idle.pop() || peg$makeParser(options))(input, options);
}

function peg$makeParser(options) {
  var input,
      peg$counts = new Uint8Array(256),
      peg$currPos = 0,
      peg$savedPos = 0,
      peg$FAILED = {},
      peg$startRule,
      peg$result;
`,
  },
  {
    before: `    var peg$cache = {};
    var visitCounts = new Uint8Array(input.length);
`,
    after: `    var peg$cache, visitCounts;
`,
  },
  {
    before: `  // start

  if (options.stream) {
    switch (peg$startRule) {
      case '(DEFAULT)':
      case "start_async":
        return peg$streamstart_async(false, new peg$Reference(null));
        break;
      default:
        throw new Error(\`Can't stream rule "\${peg$startRule}".\`);
    }
  } else {`,
    after: `  // start

  function peg$begin(nextInput, nextOptions) {
    input = nextInput;
    options = nextOptions;
    peg$currPos = 0;
    peg$savedPos = 0;
    peg$startRule = options.startRule || '(DEFAULT)';
    peg$posDetailsCache = [{ line: 1, column: 1, seenCR: false }];
    peg$maxFailPos = 0;
    peg$maxFailExpected = [];
    peg$cache = new Map();
    if (peg$counts.length < input.length) peg$counts = new Uint8Array(2 * input.length);
    else peg$counts.fill(0, 0, input.length);
    visitCounts = peg$counts.subarray(0, input.length);
    pegTokenizer = options.pegTokenizer;
    env = pegTokenizer.env;
    pipelineOpts = pegTokenizer.options;
    prevOffset = 0;
    headingIndex = 0;
  }
  function peg$resultsAt(offset) {
    var results = peg$cache.get(offset);
    if (results === undefined) peg$cache.set(offset, results = new Map());
    return results;
  }
  function peg$end() {
    input = options = peg$result = peg$cache = visitCounts = pegTokenizer = env = pipelineOpts = undefined;
    peg$posDetailsCache = peg$maxFailExpected = undefined;
    if (peg$counts.length > ${MAX_KEPT_COUNTS}) peg$counts = new Uint8Array(256);
    if (peg$idle.length < ${MAX_IDLE}) peg$idle.push(peg$run);
  }
  function peg$run(nextInput, nextOptions) {
    peg$begin(nextInput, nextOptions);
    if (options.stream) {
      if (peg$startRule !== 'start_async') throw new Error(\`Can't stream rule "\${peg$startRule}".\`);
      return peg$stream();
    }
    try {
      return peg$whole();
    } finally {
      peg$end();
    }
  }
  function* peg$stream() {
    try {
      return yield* peg$streamstart_async(false, new peg$Reference(null));
    } finally {
      peg$end();
    }
  }
  return peg$run;

  function peg$whole() {`,
  },
  {
    before: `        throw new Error(\`Can't start parsing from rule "\${peg$startRule}".\`);
    }
  }
`,
    after: `        throw new Error(\`Can't start parsing from rule "\${peg$startRule}".\`);
    }
`,
  },
  {
    before: `    throw peg$buildParseException();
  }
}

return {`,
    after: `    throw peg$buildParseException();
  }
  }
}

return {`,
  },
]

const CONSTANT = /^ {2}var peg\$c\d+ = \{.*\};\n/gm
const CLASS_TEST = /if \((\/\^\[(?:[^\]\\\n]|\\.)*\]i?)\/\.test\((r\d+)\)\) \{/g
const CACHE_KEY = /key = \[(\d+)((?:, [^,\]]+)*)\]\.map\(String\)\.join\(":"\);/g
const HEAD = 'function peg$Reference('
/** Short texts are compared by their characters: the compiled tokenizer makes a text for each comparison. */
const LITERAL_TEST =
  /(r\d+) = input\.substr\(peg\$currPos,(\d)\);\s*if \(\1 === ("(?:[^"\\]|\\[rn"\\])*")\) \{/g
/** The memory of results has gaps, and V8 makes slow objects of such lists. */
const MEMORY: readonly (readonly [RegExp, string])[] = [
  [
    /if \( !peg\$cache\[bucket\] \) \{ peg\$cache\[bucket\] = \{\}; \}\s*cached = peg\$cache\[bucket\]\[key\];/g,
    'bucket = peg$$resultsAt(bucket);\n      cached = bucket.get(key);',
  ],
  // All have the same shape; a reference that keeps its value has none there.
  [
    /cached = peg\$cache\[bucket\]\[key\] = \{([^{}]*)\};/g,
    'cached = {$1$$preproc: peg$$FAILED, $$th: peg$$FAILED};\n      bucket.set(key, cached);',
  ],
  [/cached\.hasOwnProperty\("\$(preproc|th)"\)/g, 'cached.$$$1 !== peg$$FAILED'],
  [
    /if \(peg\$cache\[prevOffset\] !== undefined\) \{ peg\$cache\[prevOffset\] = undefined; \}/g,
    'peg$$cache.delete(prevOffset);',
  ],
]

/** Changes the source of a tokenizer as the package's compiler writes it. Throws if it looks different. */
export function fastTokenizer(source: string): string {
  const constants = source.match(CONSTANT) ?? []
  const tables = new Map<string, string>()
  const nameOf = (test: string): string => {
    const name = tables.get(test) ?? `peg$class${tables.size}`
    tables.set(test, name)
    return name
  }
  const fast = withKeys(editSource(source, REUSE, 'the compiled grammar'))
    .replaceAll(CONSTANT, '')
    .replaceAll(CLASS_TEST, (_test, start: string, char: string) => `if (${nameOf(`${start}/`)}(${char})) {`)
    .replaceAll(LITERAL_TEST, literalTest)
  const remembering = MEMORY.reduce((text, [slow, quick]) => text.replaceAll(slow, quick), fast)
  if (/peg\$cache\[/.test(remembering)) throw new Error('the compiled grammar looks different')
  if (constants.length === 0 || tables.size === 0) throw new Error('the compiled grammar looks different')
  const classes = [...tables].map(([test, name]) => `const ${name} = peg$classTest(${test});\n`)
  return editSource(
    remembering,
    [{ before: HEAD, after: `${KEYS}${CLASS_TABLES}${classes.join('')}${constants.join('')}\n${HEAD}` }],
    'the compiled grammar',
  )
}

/** Results of rules are looked up by numbers, in place of texts. Throws if a rule has parameters of another kind. */
export function withKeys(source: string): string {
  return source.replaceAll(CACHE_KEY, cacheKey)
}

/** The flags of a rule are a number, its depth too. Its other parameters are references. */
function cacheKey(_key: string, rule: string, list: string): string {
  const values = list.split(', ').slice(1)
  const find = (pattern: RegExp, otherwise: string): string =>
    values.find((value) => pattern.test(value)) ?? otherwise
  const flags = find(/^boolParams & 0x/, '0')
  const depth = find(/^param_templatedepth$/, '0')
  const preproc = find(/^param_preproc\.value$/, 'null')
  const th = find(/^param_th\.value$/, 'null')
  const known = [flags, depth, preproc, th]
  const isSmall = Number(rule) < 1024 && Number(flags.replace('boolParams & ', '')) < 1 << 14
  if (!isSmall || values.some((value) => !known.includes(value)))
    throw new Error('the compiled grammar looks different')
  return `key = peg$key(${rule}, ${known.join(', ')});`
}

function literalTest(_test: string, result: string, _length: string, literal: string): string {
  const text = JSON.parse(literal) as string
  const tests = [...text].map((char, n) => `input.charCodeAt(peg$currPos + ${n}) === ${char.charCodeAt(0)}`)
  return `if (${tests.join(' && ')}) {\n      ${result} = ${literal};`
}

/**
 * A rule and its parameters as a small integer, with 14 bits of flags, or as a text for rare values. Texts would have
 * to be made and hashed for each look-up.
 */
const KEYS = `function peg$key(rule, flags, depth, preproc, th) {
  const end = preproc === null ? 0 : preproc === '}}' ? 1 : preproc === ']]' ? 2 : preproc === '}-' ? 3 : 4;
  if (end === 4 || depth > 3 || (th !== null && th !== true)) {
    return \`\${rule}:\${flags}:\${depth}:\${preproc}:\${th}\`;
  }
  return ((((rule << 14 | flags) << 2 | depth) << 2 | end) << 1) | (th === null ? 0 : 1);
}
`

const CLASS_TABLES = `/** The same test for one character, or none, with a table for those of ASCII. */
function peg$classTest(test) {
  const table = Uint8Array.from({ length: 128 }, (_, code) => test.test(String.fromCharCode(code)) ? 1 : 0);
  return (char) => {
    const code = char.charCodeAt(0);
    return code < 128 ? table[code] === 1 : code >= 128 && test.test(char);
  };
}
`
