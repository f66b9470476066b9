/** Documents: attributes are looked up without tests of their names, and written without lists of matches. */
import type { EditedFile } from '../sourceEdits.js'

export const DOCUMENTS: readonly EditedFile[] = [
  {
    // Names that were found lower case and valid are known from then on. Authors choose some, so they are not many.
    file: 'domino/lib/Element.js',
    edits: [
      {
        before: `var uppercaseCache = Object.create(null);
`,
        after: `var uppercaseCache = Object.create(null);
var plainNames = new Set();
function isPlain(qname) {
  if (plainNames.has(qname)) return true;
  if (typeof qname !== 'string' || /[A-Z]/.test(qname) || !xml.isValidName(qname)) return false;
  if (plainNames.size < 500) plainNames.add(qname);
  return true;
}
`,
      },
      {
        // Objects without names to inherit, as before, but not the slow kind of object.
        before: `  this._attrsByQName = Object.create(null); // The qname->Attr map
  this._attrsByLName = Object.create(null); // The ns|lname->Attr map`,
        after: `  this._attrsByQName = new AttributeMap(); // The qname->Attr map
  this._attrsByLName = new AttributeMap(); // The ns|lname->Attr map`,
      },
      {
        before: `function Element(doc, localName, namespaceURI, prefix) {
`,
        after: `function AttributeMap() {}
AttributeMap.prototype = Object.create(null);

function Element(doc, localName, namespaceURI, prefix) {
`,
      },
      {
        before: `  nodeName: { get: function() { return this.tagName; }},`,
        after: `  nodeName: { get: function() { return this._tagName === undefined ? this.tagName : this._tagName; }},`,
      },
      {
        before: `  getAttribute: { value: function getAttribute(qname) {
    var attr = this.getAttributeNode(qname);
    return attr ? attr.value : null;`,
        after: `  getAttribute: { value: function getAttribute(qname) {
    var attr = isPlain(qname) ? this._attrsByQName[qname] : this.getAttributeNode(qname);
    if (Array.isArray(attr)) attr = attr[0];
    return attr ? attr.data : null;`,
      },
      {
        before: `  hasAttribute: { value: function hasAttribute(qname) {
    qname = String(qname);`,
        after: `  hasAttribute: { value: function hasAttribute(qname) {
    if (isPlain(qname)) return this._attrsByQName[qname] !== undefined;
    qname = String(qname);`,
      },
      {
        before: `  setAttribute: { value: function setAttribute(qname, value) {
    qname = String(qname);`,
        after: `  setAttribute: { value: function setAttribute(qname, value) {
    if (isPlain(qname)) return this._setAttribute(qname, String(value));
    qname = String(qname);`,
      },
    ],
  },
  {
    // A node without children is nobody's ancestor. The next node is compared with the first one without a getter.
    file: 'domino/lib/Node.js',
    edits: [
      {
        before: `    if (next === parent.firstChild) return null;`,
        after: `    if (next === (parent._childNodes ? parent.firstChild : parent._firstChild)) return null;`,
      },
      {
        before: `    if (node.isAncestor(parent)) utils.HierarchyRequestError();`,
        after: `    if (node === parent || (node.firstChild !== null && node.isAncestor(parent))) utils.HierarchyRequestError();`,
      },
    ],
  },
  {
    // Lists of siblings are checked twice for each change.
    file: 'domino/lib/LinkedList.js',
    edits: [
      {
        before: `        utils.assert(LinkedList.valid(a) && LinkedList.valid(b));
        var a_first`,
        after: `        var a_first`,
      },
      {
        before: `        b_first._previousSibling = a_last;
        utils.assert(LinkedList.valid(a) && LinkedList.valid(b));
`,
        after: `        b_first._previousSibling = a_last;
`,
      },
      {
        before: `    replace: function(a, b) {
        utils.assert(LinkedList.valid(a) && (b===null || LinkedList.valid(b)));
`,
        after: `    replace: function(a, b) {
`,
      },
      {
        before: `        LinkedList.remove(a);
        utils.assert(LinkedList.valid(a) && (b===null || LinkedList.valid(b)));
`,
        after: `        LinkedList.remove(a);
`,
      },
      {
        before: `        utils.assert(LinkedList.valid(a));
        var prev`,
        after: `        var prev`,
      },
      {
        before: `        a._previousSibling = a._nextSibling = a;
        utils.assert(LinkedList.valid(a));
`,
        after: `        a._previousSibling = a._nextSibling = a;
`,
      },
    ],
  },
  {
    file: 'parsoid/lib/wt2html/XMLSerializer.js',
    edits: [
      {
        before: `			var attrs = node.attributes;
			var len = attrs.length;
			var nodeName = node.tagName.toLowerCase();`,
        after: `			var len = node._numattrs;
			var nodeName = node.localName;`,
      },
      {
        before: `				var attr = attrs.item(i);
				if (options.smartQuote &&`,
        after: `				var attr = node._attr(i);
				if (!/[<&"]/.test(attr.data)) {
					accum(' ' + attr.name + '="' + attr.data + '"', node);
				} else if (options.smartQuote &&`,
      },
      {
        before: `			return accum(node.data.replace(/[<&]/g, entities.encodeHTML5), node);`,
        after: `			return accum(/[<&]/.test(node.data) ? node.data.replace(/[<&]/g, entities.encodeHTML5) : node.data, node);`,
      },
    ],
  },
  {
    file: 'parsoid/lib/utils/DOMTraverser.js',
    edits: [
      {
        before: `	var name = (node.nodeName || '').toLowerCase();
`,
        after: `	var name = node.nodeType === 1 ? node.localName : '';
`,
      },
      {
        before: `			if (!tplInfo && WTUtils`,
        after: `			if (!tplInfo && workNode._attrsByQName.typeof !== undefined && WTUtils`,
      },
    ],
  },
  {
    file: 'parsoid/lib/config/MWParserEnvironment.js',
    edits: [
      {
        // The configuration before that of the wiki is known: always the same, and never changed.
        before: `	this.conf.wiki = new WikiConfig(parsoidConfig, null, options.prefix);
`,
        after: `	this.conf.wiki = firstConfigs.get(parsoidConfig);
	if (this.conf.wiki === undefined) {
		this.conf.wiki = new WikiConfig(parsoidConfig, null, options.prefix);
		firstConfigs.set(parsoidConfig, this.conf.wiki);
	}
`,
      },
      {
        // Links to the same page are frequent, and nothing changes a title.
        before: `		return Title.newFromText(urlDecodedText, this.conf.wiki.siteInfo, defaultNS);`,
        after: `		return titleOf(urlDecodedText, this.conf.wiki.siteInfo, defaultNS);`,
      },
      {
        before: `var MWParserEnvironment = function(parsoidConfig, options) {
`,
        after: `const firstConfigs = new WeakMap();
const titles = new WeakMap();
function titleOf(text, siteInfo, defaultNS) {
	if (defaultNS !== undefined && typeof defaultNS !== 'number') { return Title.newFromText(text, siteInfo, defaultNS); }
	let known = titles.get(siteInfo);
	if (known === undefined || known.size >= 2000) { titles.set(siteInfo, known = new Map()); }
	const start = defaultNS + ':';
	const key = start + text;
	let title = known.get(key);
	if (title === undefined) {
		// From a string of its own, since a part of a page's text keeps the whole text in memory.
		title = Title.newFromText(key.slice(start.length), siteInfo, defaultNS);
		known.set(key, title);
	}
	return title;
}
var MWParserEnvironment = function(parsoidConfig, options) {
`,
      },
    ],
  },
  {
    // The page bundle goes to the caller, not as text into the head.
    file: 'parsoid/lib/wt2html/DOMPostProcessor.js',
    edits: [
      {
        before: `	if (env.pageBundle) {
		DOMDataUtils.injectPageBundle(document, DOMDataUtils.getPageBundle(document));
	}
`,
        after: '',
      },
    ],
  },
  {
    // Documents without pictures, such as those of references and links, are finished at once, without a promise.
    file: 'parsoid/lib/wt2html/pp/processors/AddMediaInfo.js',
    edits: [
      {
        before: `	run(...args) {
		return AddMediaInfo.addMediaInfo(...args);
	}`,
        after: `	run(rootNode, env, options) {
		if (!hasMedia(rootNode.ownerDocument.documentElement)) { return undefined; }
		return AddMediaInfo.addMediaInfo(rootNode, env, options);
	}`,
      },
      {
        before: `class AddMediaInfo {`,
        after: `function hasMedia(element) {
	for (let node = element.firstChild; node !== null; node = node.nextSibling) {
		if (node.nodeType !== 1) { continue; }
		if (node.localName === 'figure' || node.localName === 'figure-inline' || hasMedia(node)) { return true; }
	}
	return false;
}

class AddMediaInfo {`,
      },
    ],
  },
]
