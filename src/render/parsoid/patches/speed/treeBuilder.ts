/** From tokens to elements: no data for texts, and marks of tags that need no JSON. */
import type { EditedFile } from '../sourceEdits.js'

export const TREE_BUILDER: readonly EditedFile[] = [
  {
    // The tree builder keeps data for elements only. Marks of tags travel as comments; their attributes stay beside the
    // document instead of in JSON. An author's comment cannot look like a mark, since its hyphens are escaped.
    file: 'parsoid/lib/wt2html/HTML5TreeBuilder.js',
    edits: [
      {
        // Made for the first token: builders are reset twice for each use.
        before: `		this.parser = new HTMLParser();
		this.parser.insertToken(this.types.DOCTYPE, 'html');
		this.parser.insertToken(this.types.TAG, 'body');
`,
        after: `		this.madeParser = null;
`,
      },
      {
        before: `	onChunk(tokens) {
		let s;`,
        after: `	get parser() {
		if (this.madeParser === null) {
			this.madeParser = new HTMLParser();
			this.madeParser.insertToken(this.types.DOCTYPE, 'html');
			this.madeParser.insertToken(this.types.TAG, 'body');
		}
		return this.madeParser;
	}

	onChunk(tokens) {
		let s;`,
      },
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
