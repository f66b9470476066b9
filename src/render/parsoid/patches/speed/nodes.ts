/**
 * Nodes of few shapes. The package has a class for each kind of element, and adds properties to nodes later. So V8 had
 * to search for each property of a node. Here common elements share a class, and nodes have all properties from the
 * start.
 */
import type { EditedFile } from '../sourceEdits.js'

/** Elements whose class has only accessors for attributes, which nobody here uses. */
const PLAIN_TAGS =
  `a base body br caption center dd del div dl dt font h1 h2 h3 h4 h5 h6 head hr html img ins li link meta ol p pre q
  blockquote span style table tbody td tfoot th thead title tr ul`.split(/\s+/)

export const NODES: readonly EditedFile[] = [
  {
    // The parser tests for the class of some elements. These tests go by their names.
    file: 'domino/lib/htmlelts.js',
    edits: [
      {
        before: `  var impl = htmlNameToImpl[localName] || HTMLUnknownElement;
  return new impl(`,
        after: `  var impl = !plainTags.has(localName) && htmlNameToImpl[localName] || HTMLElement;
  return new impl(`,
      },
      {
        before: `function define(spec) {
  return defineElement(spec, HTMLElement, htmlElements, htmlNameToImpl);
}`,
        after: `var plainTags = new Set(${JSON.stringify(PLAIN_TAGS)});
function define(spec) {
  var c = defineElement(spec, HTMLElement, htmlElements, htmlNameToImpl);
  var tags = (spec.tags || [spec.tag]).filter(function(tag) { return plainTags.has(tag); });
  if (spec.ctor && tags.length > 0) {
    Object.defineProperty(c, Symbol.hasInstance, { value: function(node) {
      return Boolean(node) && tags.includes(node.localName) && node.namespaceURI === utils.NAMESPACE.HTML;
    }});
  }
  return c;
}`,
      },
    ],
  },
  {
    file: 'domino/lib/Node.js',
    edits: [
      {
        before: `  this._index = undefined;
}`,
        after: `  this._index = undefined;
  this._nid = undefined;
  this._lastModTime = undefined;
}`,
      },
    ],
  },
  {
    // The parser deletes a property of its document, and V8 then searches for all others.
    file: 'domino/lib/HTMLParser.js',
    edits: [{ before: `delete doc._parser;`, after: `doc._parser = undefined;` }],
  },
  {
    file: 'domino/lib/Element.js',
    edits: [
      {
        // A text made for each use would be looked up among all names of properties.
        before: `    var key = '|' + qname;
    this._attrsByQName[qname] = attr;`,
        after: `    var key = keyOf(qname);
    this._attrsByQName[qname] = attr;`,
      },
      {
        before: `    // ns+lname key and remove it from the other mapping as well.
    var key = (ns === null ? '' : ns) + '|' + attr.localName;`,
        after: `    // ns+lname key and remove it from the other mapping as well.
    var key = ns === null ? keyOf(attr.localName) : ns + '|' + attr.localName;`,
      },
      {
        before: `function recursiveGetText(`,
        after: `var keys = new Map();
function keyOf(name) {
  var key = keys.get(name);
  if (key === undefined) {
    key = '|' + name;
    if (keys.size < 500) keys.set(name, key);
  }
  return key;
}

function recursiveGetText(`,
      },
      {
        // Only these attributes have handlers.
        before: `      this.onchange = elt._attributeChangeHandlers[this.localName];`,
        after: `      this.onchange = /^(?:id$|class$|on)/.test(this.localName) ? elt._attributeChangeHandlers[this.localName] : undefined;`,
      },
      {
        before: `  this._attrKeys = [];     // attr index -> ns|lname
}`,
        after: `  this._attrKeys = [];     // attr index -> ns|lname
  this._attributes = undefined;
  this._children = undefined;
  this._classList = undefined;
}`,
      },
    ],
  },
]
