/** RFC 5321 counts octets. */
const MAX_OCTETS = 254;
const MAX_LOCAL_OCTETS = 64;
const MAX_LABEL_OCTETS = 63;

const octets = (text: string): number => Buffer.byteLength(text);

/** Characters that separate words, cannot be seen, or have a meaning of their own in a header. */
const FORBIDDEN = /[\s\p{C}\p{Z}"(),:;<>@[\\\]]/u;

/** Only a message can tell whether the mailbox exists. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  const [atoms, labels] = [local.split('.'), domain.split('.')];
  return (
    octets(text) <= MAX_OCTETS &&
    octets(local) <= MAX_LOCAL_OCTETS &&
    labels.length > 1 &&
    ![...atoms, ...labels].some((part) => part === '' || FORBIDDEN.test(part)) &&
    !labels.some((label) => octets(label) > MAX_LABEL_OCTETS)
  );
}
