const SPACE = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTE = /"/y;
const PLAIN = /[ !#-[\]-\uffff]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Where a text that is not JSON stops being it: the parser tells that for some faults only. The text must not be nested
 * deep (`json-shape.ts`).
 */
export function offsetOfFault(text: string): number {
  let at = 0;
  const takes = (token: RegExp): boolean => {
    token.lastIndex = at;
    const isNext = token.test(text);
    if (isNext) at = token.lastIndex;
    return isNext;
  };
  const takesSign = (sign: string): boolean => {
    takes(SPACE);
    const isNext = text[at] === sign;
    if (isNext) at += 1;
    return isNext;
  };
  const takesText = (): boolean => {
    if (!takesSign('"')) return false;
    while (takes(PLAIN) || takes(ESCAPE));
    return takes(QUOTE);
  };
  const takesList = (end: string, takesItem: () => boolean): boolean => {
    if (takesSign(end)) return true;
    do {
      if (!takesItem()) return false;
    } while (takesSign(','));
    return takesSign(end);
  };
  const takesMember = (): boolean => takesText() && takesSign(':') && takesValue();
  const takesValue = (): boolean => {
    if (takesSign('{')) return takesList('}', takesMember);
    if (takesSign('[')) return takesList(']', takesValue);
    return text[at] === '"' ? takesText() : takes(SCALAR);
  };
  if (takesValue()) takes(SPACE);
  return at;
}
