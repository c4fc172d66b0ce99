import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { AwsHttp } from '#shared/runtime/aws-http.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';

/** The organization is the encryption context: no other can decrypt the secret, and the trail of KMS names it. */

const { SECRETS_KEY_ID } = parseEnv({ SECRETS_KEY_ID: setting });

const ATTEMPT_MILLISECONDS = 2_000;

/** All attempts together take at most 8 s. A request that also waits for the provider can spare that. */
const client = new KMSClient({ maxAttempts: 3, requestHandler: new AwsHttp(ATTEMPT_MILLISECONDS) });

/** @param token at most 4,096 bytes @returns Base64 */
export async function encryptToken(organizationId: string, token: string): Promise<string> {
  const { CiphertextBlob } = await client.send(
    new EncryptCommand({
      KeyId: SECRETS_KEY_ID,
      Plaintext: new TextEncoder().encode(token),
      EncryptionContext: { organizationId },
    }),
  );
  if (!CiphertextBlob) throw new Error('KMS has encrypted nothing.');
  return Buffer.from(CiphertextBlob).toString('base64');
}

/** @param ciphertext from `encryptToken`, for the same organization */
export async function decryptToken(organizationId: string, ciphertext: string): Promise<string> {
  const { Plaintext } = await client.send(
    new DecryptCommand({
      KeyId: SECRETS_KEY_ID,
      CiphertextBlob: Buffer.from(ciphertext, 'base64'),
      EncryptionContext: { organizationId },
    }),
  );
  if (!Plaintext) throw new Error('KMS has decrypted nothing.');
  return new TextDecoder().decode(Plaintext);
}
