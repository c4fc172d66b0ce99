/** JSON for a queue, without the two characters that JSON allows and SQS refuses. */
export function messageText(message: unknown): string {
  return JSON.stringify(message).replace(NOT_IN_MESSAGES, escaped);
}

const NOT_IN_MESSAGES = /[\ufffe\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}
