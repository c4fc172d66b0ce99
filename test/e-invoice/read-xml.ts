/** Reads XML as strictly as a parser, as far as e-invoices use it: elements, attributes, texts and references. */

export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const TAG = /<(\/?)([\w:]+)((?: [\w:]+="[^"<]*")*)>/y;
const TEXT = /[^<]*/y;
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** @throws Error if a parser would refuse it */
export function readXml(xml: string): XmlNode {
  if (!xml.startsWith(DECLARATION)) throw new Error('No declaration.');
  if (NO_CHARACTER.test(xml)) throw new Error('A character that XML does not have.');
  // A parser sees every line end as a line feed, unless it is a reference.
  const body = xml.slice(DECLARATION.length).replaceAll(/\r\n?/g, '\n').trimEnd();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray => {
    pattern.lastIndex = at;
    const found = pattern.exec(body);
    if (!found) throw new Error(`Unexpected at ${at}: ${body.slice(at, at + 40)}`);
    at += found[0].length;
    return found;
  };
  const readElement = ([, slash, name = '', attributes = '']: RegExpExecArray): XmlNode => {
    if (slash) throw new Error(`</${name}> closes nothing.`);
    const children: XmlNode[] = [];
    let text = '';
    while (true) {
      text += resolved(take(TEXT)[0]);
      const tag = take(TAG);
      if (tag[1] && tag[2] !== name) throw new Error(`</${tag[2]}> closes <${name}>.`);
      if (tag[1]) return { name, attributes: attributesOf(attributes), children, text };
      children.push(readElement(tag));
    }
  };
  const root = readElement(take(TAG));
  if (at < body.length) throw new Error('More than one root.');
  return root;
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/ ([\w:]+)="([^"]*)"/g)];
  return Object.fromEntries(
    found.map(([, name = '', value = '']) => [name, resolved(value.replaceAll(/[\t\n]/g, ' '))]),
  );
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function resolved(text: string): string {
  if (text.includes(']]>')) throw new Error('A bare ]]>.');
  return text.replaceAll(/&(?:#(\d+)|(\w+));|&/g, (whole, code?: string, name?: string) => {
    const character = code ? String.fromCodePoint(Number(code)) : NAMED[name ?? ''];
    if (character === undefined) throw new Error(`An unknown reference: ${whole}`);
    return character;
  });
}

/** Texts of all elements whose path ends as given, such as `InvoiceLine/ID`, or their attributes: `EndpointID@schemeID`. */
export function textsAt(root: XmlNode, path: string): string[] {
  const [steps = '', attribute] = path.split('@');
  const found = nodesIn(root, '').filter(([, at]) => `${at}/`.endsWith(`/${steps}/`));
  return found.flatMap(([{ attributes, text }]) => (attribute ? (attributes[attribute] ?? []) : text));
}

export function emptyElements(root: XmlNode): string[] {
  const isEmpty = ({ children, text }: XmlNode) => children.length === 0 && text.trim() === '';
  return nodesIn(root, '').flatMap(([node]) => (isEmpty(node) ? node.name : []));
}

/** In the order of the document, each with its path. */
function nodesIn(node: XmlNode, above: string): [XmlNode, string][] {
  const path = `${above}/${node.name.split(':').at(-1)}`;
  return [[node, path], ...node.children.flatMap((child) => nodesIn(child, path))];
}
