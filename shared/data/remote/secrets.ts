import { decryptSecret, encryptSecret } from '#shared/runtime/secrets.ts';

/** The organization is the encryption context: no other can decrypt the secret. */

/** @param token at most 4,096 bytes @returns Base64 */
export function encryptToken(organizationId: string, token: string): Promise<string> {
  return encryptSecret(token, { organizationId });
}

/** @param ciphertext from `encryptToken`, for the same organization */
export function decryptToken(organizationId: string, ciphertext: string): Promise<string> {
  return decryptSecret(ciphertext, { organizationId });
}
