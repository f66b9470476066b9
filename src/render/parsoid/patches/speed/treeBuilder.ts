/** From tokens to elements: no data for texts, and marks of tags without a detour over comments in JSON. */
import type { EditedFile } from '../sourceEdits.js'

/** Parsers beyond this number are not kept. Documents of references and links are built at the same time. */
const MAX_IDLE_PARSERS = 30

export const TREE_BUILDER: readonly EditedFile[] = [
  {
    // The tree builder keeps data for elements only. A mark of a tag goes where a comment would go, as the element that
    // the package would make of that comment later.
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
			this.madeParser = idleParsers.pop() || new HTMLParser();
			this.madeParser.insertToken(this.types.DOCTYPE, 'html');
			this.madeParser.insertToken(this.types.TAG, 'body');
		}
		return this.madeParser;
	}

	insertMark(attrs) {
		this.parser.mark = attrs;
		this.parser.insertToken(this.types.COMMENT, '');
		this.parser.mark = undefined;
	}

	onChunk(tokens) {
		let s;`,
      },
      {
        // Every node is visited; none is the wrapper of a template yet.
        before: `		const t = new DOMTraverser();
		t.addHandler(null, (...args) => PrepareDOM.prepareDOM(seenDataIds, ...args));
		t.traverse(doc.body, this.env);
`,
        after: `		prepare(doc.body, seenDataIds, this.env);
`,
      },
      {
        // The builder may get the next document while this one is processed, and its parser serves another document.
        before: `		this.emit('document', doc);

		this.emit('end');
		this.resetState();
`,
        after: `		const { parser } = this;
		this.resetState();
		if (idleParsers.length < ${MAX_IDLE_PARSERS}) {
			parser.restart();
			idleParsers.push(parser);
		}
		this.emit('document', doc);
`,
      },
      {
        before: `class HTML5TreeBuilder extends`,
        after: `const idleParsers = [];

// What the pass that removes marks of tags reads of their data.
function markData(data) {
	return { src: data.src, stx: data.stx, tsr: data.tsr, tmp: {} };
}

function prepare(first, seenDataIds, env) {
	let node = first;
	while (node !== null) {
		const made = PrepareDOM.prepareDOM(seenDataIds, node, env);
		if (made !== true) {
			node = made;
			continue;
		}
		if (node.nodeType === 1 && node.firstChild !== null) { prepare(node.firstChild, seenDataIds, env); }
		node = node.nextSibling;
	}
}

class HTML5TreeBuilder extends`,
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
        after: `						[DOMDataUtils.DataObjectAttrName(), this.bag.stashObject({ parsoid: markData(dataAttribs) })],
					];
					this.insertMark(attrs);`,
      },
      {
        before: `						this.parser.insertToken(
							this.types.COMMENT,
							WTUtils.fosterCommentData(tTypeOf, this._att(attribs), false)
						);`,
        after: `						if (/^mw:/.test(tTypeOf)) {
							this.insertMark(this._att(attribs));
						} else {
							this.parser.insertToken(
								this.types.COMMENT,
								WTUtils.fosterCommentData(tTypeOf, this._att(attribs), false)
							);
						}`,
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
					this.insertMark(attrs);`,
      },
    ],
  },
  {
    // Names of attributes may be invalid; such attributes are dropped, as in the package.
    file: 'domino/lib/HTMLParser.js',
    edits: [
      {
        // A parser consists of some hundred functions. This sets all that tokens can change.
        before: `  /***
   * The actual code of the HTMLParser() factory function begins here.
   */
`,
        after: `  htmlparser.restart = function() {
    tokenizer = data_state;
    parser = initial_mode;
    originalInsertionMode = head_element_pointer = form_element_pointer = null;
    templateInsertionModes = [];
    stack = new HTMLParser.ElementStack();
    afe = new HTMLParser.ActiveFormattingElements();
    frameset_ok = true;
    force_quirks = foster_parent_mode = textIncludesNUL = ignore_linefeed = false;
    pending_table_text = text_integration_mode = undefined;
    textrun = [];
    doc = new Document(true, address);
    doc._parser = htmlparser;
    doc._scripting_enabled = scripting_enabled;
  };

`,
      },
      {
        before: `  function insertComment(data) {
`,
        after: `  function makeComment(doc, data) {
    if (htmlparser.mark === undefined) return doc.createComment(data);
    var meta = doc.createElement('meta');
    for (const [name, value] of htmlparser.mark) {
      try {
        meta.setAttribute(name, value);
      } catch (error) {}
    }
    return meta;
  }

  function insertComment(data) {
`,
      },
      {
        before: `fosterParent(function(doc) { return doc.createComment(data); });`,
        after: `fosterParent(function(doc) { return makeComment(doc, data); });`,
      },
      {
        before: `parent._appendChild(parent.ownerDocument.createComment(data));`,
        after: `parent._appendChild(makeComment(parent.ownerDocument, data));`,
      },
    ],
  },
  {
    file: 'parsoid/lib/utils/DOMDataUtils.js',
    edits: [
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
    ],
  },
]
