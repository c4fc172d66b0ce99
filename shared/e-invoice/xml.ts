/** An element of XML; `content` is its text, or its children, of which the null ones are left out. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: string | readonly XmlElement[];
}

type Attributes = Readonly<Record<string, string | null>>;

type Content = string | null | readonly (XmlElement | null)[];

/** Null without content, since Peppol forbids empty elements. */
export function element(name: string, content: Content, attributes: Attributes = {}): XmlElement | null {
  if (content === null) return null;
  if (typeof content === 'string') return { name, attributes, content };
  const children = content.filter((child) => child !== null);
  return children.length === 0 ? null : { name, attributes, content: children };
}

/** For an element that has to be there, though it be empty. */
export function demanded(
  name: string,
  content: readonly (XmlElement | null)[],
  attributes: Attributes = {},
): XmlElement {
  return { name, attributes, content: content.filter((child) => child !== null) };
}

/** The whole file, in UTF-8. @throws Error on a character that XML 1.0 does not have */
export function xmlOf(root: XmlElement): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write(root, parts);
  parts.push('\n');
  return parts.join('');
}

function write({ name, attributes, content }: XmlElement, parts: string[]): void {
  parts.push('<', name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== null) parts.push(' ', attribute, '="', escaped(value, IN_ATTRIBUTE), '"');
  }
  parts.push('>');
  if (typeof content === 'string') parts.push(escaped(content, IN_TEXT));
  else for (const child of content) write(child, parts);
  parts.push('</', name, '>');
}

/** `>` for `]]>`. A parser makes a line feed of a carriage return, and spaces of all such in an attribute. */
const IN_TEXT = /[&<>\r]/g;
const IN_ATTRIBUTE = /[&<>"\t\n\r]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escaped(text: string, special: RegExp): string {
  if (!isXmlText(text)) throw new Error('A text has a character that XML does not have.');
  return text.replaceAll(special, (character) => REFERENCES[character] ?? character);
}

const NO_CHARACTER_OF_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** XML 1.0 has neither most control characters, nor U+FFFE, U+FFFF and lone surrogates, not even as references. */
export function isXmlText(text: string): boolean {
  return !NO_CHARACTER_OF_XML.test(text);
}
