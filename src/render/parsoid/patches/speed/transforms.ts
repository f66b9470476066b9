/** Transformations of tokens in any order: most tokens pass, and make no objects on their way. */
import type { EditedFile } from '../sourceEdits.js'

export const TRANSFORMS: readonly EditedFile[] = [
  {
    // Every token comes here. Most are no tags, or have attributes of plain text, which need no expansion.
    file: 'parsoid/lib/wt2html/tt/AttributeExpander.js',
    edits: [
      {
        before: `			this.manager.addTransform(
				(token, cb) => this.onToken(token, cb),`,
        after: `			const transform = (token, cb) => this.onToken(token, cb);
			transform.leaves = AttributeExpander.leaves;
			this.manager.addTransform(
				transform,`,
      },
      {
        before: `			const atm = new AttributeTransformManager(`,
        after: `			if (AttributeExpander.areTexts(attribs)) {
				cb({ tokens: [token] });
				return;
			}
			const atm = new AttributeTransformManager(`,
      },
      {
        before: `	static nlTkIndex(nlTkOkay, tokens, atTopLevel) {`,
        after: `	static leaves(token) {
		if (token.constructor !== TagTk && token.constructor !== SelfclosingTagTk) { return true; }
		for (const { k, v } of token.attribs) {
			if (!v || k.constructor !== String || v.constructor !== String) { return false; }
		}
		return true;
	}

	static areTexts(attribs) {
		for (const attribute of attribs) {
			if (!attribute.v) { attribute.v = ''; }
			if (attribute.k.constructor !== String || attribute.v.constructor !== String) { return false; }
		}
		return true;
	}

	static nlTkIndex(nlTkOkay, tokens, atTopLevel) {`,
      },
    ],
  },
  {
    // What handles a kind of token is found by its name, without a text made for it.
    file: 'parsoid/lib/wt2html/TokenTransformManager.js',
    edits: [
      {
        before: `		this.pipelineModified = false;
`,
        after: `		this.pipelineModified = false;
		this.knownTransformers = new Map();
`,
      },
      {
        before: `		this.pipelineModified = true;
`,
        after: `		this.pipelineModified = true;
		this.knownTransformers = new Map();
`,
      },
      {
        before: `		const tkType = TokenTransformManager.tkConstructorToTkTypeMap(token.constructor.name);
		const key = TokenTransformManager.tokenTransformersKey(tkType, token.name);
		console.assert(tkType, key);
		let tts = this.cachedTransformers[key];
		if (!tts) {`,
        after: `		const kind = token.name === undefined ? token.constructor : token.name;
		let tts = this.knownTransformers.get(kind);
		if (!tts) {
			const tkType = TokenTransformManager.tkConstructorToTkTypeMap(token.constructor.name);
			const key = TokenTransformManager.tokenTransformersKey(tkType, token.name);`,
      },
      {
        before: `				this.cachedTransformers[key] = tts;
			}
		}
`,
        after: `			}
			this.knownTransformers.set(kind, tts);
		}
`,
      },
      {
        // A name for traces.
        before: `			c: 'c-' + AccumChain._counter++,
`,
        after: '',
      },
      {
        // What leaves a token as it is says so beforehand, without an object for the result.
        before: `			transform: transformation,
`,
        after: `			transform: transformation,
			leaves: transformation.leaves,
`,
      },
      {
        before: `					accumChain.initRes();
`,
        after: `					if (transformer.leaves !== undefined && transformer.leaves(token)) {
						res = UNCHANGED;
						continue;
					}
					accumChain.initRes();
`,
      },
      {
        before: `class AccumChain {`,
        after: `const UNCHANGED = {};

class AccumChain {`,
      },
      {
        // The places in lists of tokens are in a list of their own, not in properties of the lists.
        before: `		workStack.pushChunk = function(toks) {
			this.push(toks);
			toks.eltIndex = 0;
		};

		workStack.pushChunk(tokens);
`,
        after: `		const places = [0];
		workStack.push(tokens);
`,
      },
      {
        before: `			if (curChunk.eltIndex === curChunk.length) {`,
        after: `			const place = places[places.length - 1];
			if (place === curChunk.length) {`,
      },
      {
        before: `				workStack.pop();
`,
        after: `				workStack.pop();
				places.pop();
`,
      },
      {
        before: `			let token = curChunk[curChunk.eltIndex++];`,
        after: `			let token = curChunk[place];
			places[places.length - 1] = place + 1;`,
      },
      {
        before: `							workStack.pushChunk(resTokens);
`,
        after: `							workStack.push(resTokens);
							places.push(0);
`,
      },
      {
        before: `		this.firstAccum.append = (chunk) => {
			// All tokens in firstAccum are fully processed
			this.firstAccum.push.apply(this.firstAccum, chunk);
		};
`,
        after: '',
      },
      {
        before: `		this.accum.append(toks);
	}
}
`,
        after: `		if (this.accum === this.firstAccum) {
			for (let n = 0; n < toks.length; n++) { this.firstAccum.push(toks[n]); }
		} else {
			this.accum.append(toks);
		}
	}
}
`,
      },
      {
        // A search for an error that would only be logged.
        before: `			for (let i = 0, l = tokens.length; i < l - 1; i++) {
				if (tokens[i] && tokens[i].constructor === EOFTk) {
					this.env.log("error", "EOFTk in the middle of chunk");
				}
			}
`,
        after: '',
      },
      {
        // Tokens that wait for an earlier one join those of the same rank.
        before: `			const chunk = [tok];
			chunk.rank = this.ttm.phaseEndRank;
`,
        after: `			const last = this.accum.waitForChild ? JSUtils.lastItem(this.accum.siblingChunks) : null;
			if (last && last.length > 0 && last.rank === this.ttm.phaseEndRank) {
				last.push(tok);
				return;
			}
			const chunk = [tok];
			chunk.rank = this.ttm.phaseEndRank;
`,
      },
    ],
  },
]
