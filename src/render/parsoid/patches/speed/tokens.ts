/** Tokens on their way through the engine: fewer copies, and no objects that nobody reads. */
import type { EditedFile } from '../sourceEdits.js'

/** Names of elements in upper case. Authors choose some, so only a number of them is kept. */
const UPPER_CASE = `const upperNames = new Map();
function upperCase(name) {
	let upper = upperNames.get(name);
	if (upper === undefined) {
		upper = name.toUpperCase();
		if (upperNames.size < 500) { upperNames.set(name, upper); }
	}
	return upper;
}

`

export const TOKENS: readonly EditedFile[] = [
  {
    // All pairs have the same properties, in the same order.
    file: 'parsoid/lib/tokens/KV.js',
    edits: [
      {
        before: `		if (srcOffsets) {
			/** The source offsets. */
			this.srcOffsets = srcOffsets;
			console.assert(Array.isArray(srcOffsets) && srcOffsets.length === 4);
		}
		if (ksrc) {
			this.ksrc = ksrc;
		}
		if (vsrc) {
			this.vsrc = vsrc;
		}
	}
`,
        after: `		this.srcOffsets = srcOffsets || undefined;
		this.ksrc = ksrc || undefined;
		this.vsrc = vsrc || undefined;
	}
`,
      },
    ],
  },
  {
    // Callers see the list of tokens emptied, as before. Texts are the most frequent tokens, and have no properties.
    file: 'parsoid/lib/wt2html/tt/TokenHandler.js',
    edits: [
      {
        before: `			} else {
				if (token.constructor === NlTk) {
					res = this.onNewline(token);
				} else if (token.constructor === EOFTk) {`,
        after: `			} else if (typeof token === 'string') {
				res = token;
			} else {
				if (token.constructor === NlTk) {
					res = this.onNewline(token);
				} else if (token.constructor === EOFTk) {`,
      },
      {
        before: `			if (!modified && !res.skipOnAny && this.onAnyEnabled) {`,
        after: `			if (!modified && this.onAnyEnabled && (res === token || !res.skipOnAny)) {`,
      },
      {
        before: `		let accum = [];
		while (tokens.length > 0) {
			const token = tokens.shift();
`,
        after: `		const accum = [];
		for (let n = 0; n < tokens.length; n++) {
			const token = tokens[n];
`,
      },
      {
        before: `				accum = accum.concat(resTokens);
			}
		}
`,
        after: `				for (let m = 0; m < resTokens.length; m++) { accum.push(resTokens[m]); }
			}
		}
		tokens.length = 0;
`,
      },
    ],
  },
  {
    file: 'parsoid/lib/wt2html/tt/TokenStreamPatcher.js',
    edits: [
      {
        before: `		var tokens = [token];
		switch (token.constructor) {`,
        after: `		if (token.constructor === String && this.tokenBuf.length === 0 && !this.sol) {
			this.clearSOL();
			return token;
		}
		var tokens = [token];
		switch (token.constructor) {`,
      },
    ],
  },
  {
    file: 'parsoid/lib/wt2html/tt/Sanitizer.js',
    edits: [
      {
        before: `	// Pass through a transparent line meta-token
	if (`,
        after: `	// Text, line breaks and comments.
	if (token.attribs === undefined) { return token; }
	// Pass through a transparent line meta-token
	if (`,
      },
    ],
  },
  {
    file: 'parsoid/lib/mw/Batcher.js',
    edits: [
      {
        before: `	this.env.log.apply(null, ["trace/batcher"].concat(Array.from(arguments)));
`,
        after: '',
      },
    ],
  },
  {
    file: 'parsoid/lib/utils/TokenUtils.js',
    edits: [
      { before: `var TokenQueryUtils = {`, after: `${UPPER_CASE}var TokenQueryUtils = {` },
      { before: `		name = name.toUpperCase();`, after: `		name = upperCase(name);` },
    ],
  },
  {
    file: 'parsoid/lib/utils/Util.js',
    edits: [
      { before: `var Util = {`, after: `${UPPER_CASE}var Util = {` },
      {
        before: `		return Consts.HTML.VoidTags.has(name.toUpperCase());`,
        after: `		return Consts.HTML.VoidTags.has(upperCase(name));`,
      },
      {
        // Keys of requests within a page, such as the texts of templates. They need not be short.
        before: `	makeHash: function(arr) {
`,
        after: `	makeHash: function(arr) {
		if (Array.isArray(arr)) { return arr.join('\\0'); }
`,
      },
      {
        before: `				return obj.map(function(el) {
					return Util.clone(el, true);
				});`,
        after: `				const copies = new Array(obj.length);
				for (let n = 0; n < obj.length; n++) {
					const el = obj[n];
					copies[n] = el instanceof Object ? Util.clone(el, true) : el;
				}
				return copies;`,
      },
      {
        before: `				return Object.keys(obj).reduce(function(nobj, key) {
					nobj[key] = Util.clone(obj[key], true);
					return nobj;
				}, {});
			} else {
				return Object.assign({}, obj);
			}
		} else if (obj instanceof Token`,
        after: `				const nobj = {};
				for (const key of Object.keys(obj)) {
					const el = obj[key];
					nobj[key] = el instanceof Object ? Util.clone(el, true) : el;
				}
				return nobj;
			} else {
				return Object.assign({}, obj);
			}
		} else if (obj instanceof Token`,
      },
      {
        before: `			return (new RegExp("^[\\\\p{L}\\\\p{N}_]", "u")).test(c);`,
        after: `			return (Util.uniWord || (Util.uniWord = new RegExp("^[\\\\p{L}\\\\p{N}_]", "u"))).test(c);`,
      },
    ],
  },
  {
    // The receivers of a call to all stages are the same for each text.
    file: 'parsoid/lib/wt2html/parser.js',
    edits: [
      {
        before: `	// Apply to each stage
	this.stages.forEach(function(stage) {
		if (stage[fn] && stage[fn].constructor === Function) {
			stage[fn].apply(stage, args);
		}
		// Apply to each registered transformer for this stage
		if (stage.transformers) {
			stage.transformers.forEach(function(t) {
				if (t[fn] && t[fn].constructor === Function) {
					t[fn].apply(t, args);
				}
			});
		}
	});
`,
        after: `	let receivers = this.receivers.get(fn);
	if (receivers === undefined) {
		receivers = this.stages.flatMap((stage) => [stage, ...(stage.transformers || [])])
			.filter((part) => part[fn] && part[fn].constructor === Function);
		this.receivers.set(fn, receivers);
	}
	for (const receiver of receivers) { receiver[fn](...args); }
`,
      },
      {
        before: `	this.pipeLineType = type;
`,
        after: `	this.receivers = new Map();
	this.pipeLineType = type;
`,
      },
    ],
  },
]
