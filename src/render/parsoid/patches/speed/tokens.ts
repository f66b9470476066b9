/** Tokens on their way through the engine: fewer copies, and no objects that nobody reads. */
import type { EditedFile } from '../sourceEdits.js'

export const TOKENS: readonly EditedFile[] = [
  {
    // Callers see the list of tokens emptied, as before.
    file: 'parsoid/lib/wt2html/tt/TokenHandler.js',
    edits: [
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
    file: 'parsoid/lib/utils/Util.js',
    edits: [
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
    // The tree builder keeps data for elements only. Marks of tags travel as comments; their attributes stay beside the
    // document instead of in JSON. An author's comment cannot look like a mark, since its hyphens are escaped.
    file: 'parsoid/lib/wt2html/HTML5TreeBuilder.js',
    edits: [
      {
        before: `		var attribs = token.attribs || [];
		var dataAttribs = token.dataAttribs || { tmp: {} };
`,
        after: `		if (token.constructor === String || token.constructor === NlTk) {
			this.lastToken = token;
			this.textContentBuffer.push(token);
			return;
		}
		var attribs = token.attribs || [];
		var dataAttribs = token.dataAttribs || { tmp: {} };
`,
      },
      {
        before: `		this.textContentBuffer.forEach(function(t) {
			if (t.constructor === NlTk) {
				data += '\\n';
			} else {
				haveNonNlTk = true;
				data += t;
			}
		});
`,
        after: `		for (const t of this.textContentBuffer) {
			if (t.constructor === NlTk) {
				data += '\\n';
			} else {
				haveNonNlTk = true;
				data += t;
			}
		}
`,
      },
      {
        before: `					].concat(this._att(this.stashDataAttribs([], Util.clone(dataAttribs))));
					this.parser.insertToken(
						this.types.COMMENT,
						WTUtils.fosterCommentData('mw:shadow', attrs, false)
					);`,
        after: `						[DOMDataUtils.DataObjectAttrName(), this.bag.stashObject({ parsoid: Util.clone(dataAttribs) })],
					];
					this.parser.insertToken(this.types.COMMENT, this.bag.stashMark(attrs));`,
      },
      {
        before: `						this.parser.insertToken(
							this.types.COMMENT,
							WTUtils.fosterCommentData(tTypeOf, this._att(attribs), false)
						);`,
        after: `						this.parser.insertToken(
							this.types.COMMENT,
							/^mw:/.test(tTypeOf) ?
								this.bag.stashMark(this._att(attribs)) :
								WTUtils.fosterCommentData(tTypeOf, this._att(attribs), false)
						);`,
      },
      {
        before: `					attrs = this._att(attribs).concat([
						['typeof', 'mw:EndTag'],
						['data-etag', tName],
					]);
					this.parser.insertToken(
						this.types.COMMENT,
						WTUtils.fosterCommentData('mw:shadow', attrs, false)
					);`,
        after: `					attrs = this._att(attribs).concat([
						['typeof', 'mw:EndTag'],
						['data-etag', tName],
					]);
					this.parser.insertToken(this.types.COMMENT, this.bag.stashMark(attrs));`,
      },
    ],
  },
  {
    file: 'parsoid/lib/utils/DOMDataUtils.js',
    edits: [
      {
        before: `		this.docId = 0;
`,
        after: `		this.docId = 0;
		this.marks = [];
`,
      },
      {
        before: `		let dataobject;
		if (!node.hasAttribute(this.DataObjectAttrName())) {
			dataobject = {};
			this.setNodeData(node, dataobject);
			return dataobject;
		}

		const docId = node.getAttribute(this.DataObjectAttrName()) || '';
		dataobject = node.ownerDocument.bag.getObject(docId);`,
        after: `		let dataobject;
		const attr = node._attrsByQName['data-object-id'];
		if (attr === undefined) {
			dataobject = {};
			this.setNodeData(node, dataobject);
			return dataobject;
		}

		dataobject = node.ownerDocument.bag.dataobject.get(attr.data || '');`,
      },
      {
        // The first condition holds for any version that clients can ask for.
        before: `					semver.satisfies(options.env.outputContentVersion, '^999.0.0')) {`,
        after: `					options.env.outputContentVersion.startsWith('999.') &&
					semver.satisfies(options.env.outputContentVersion, '^999.0.0')) {`,
      },
      {
        before: `	getPageBundle() { return this.pagebundle; }
	getObject`,
        after: `	stashMark(attrs) { return '{-' + (this.marks.push(attrs) - 1) + '-}'; }
	getMark(text) { return /^\\{-\\d+-\\}$/.test(text) ? this.marks[Number(text.slice(2, -2))] : undefined; }
	getPageBundle() { return this.pagebundle; }
	getObject`,
      },
    ],
  },
]
