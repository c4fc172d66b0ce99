import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { AwsHttp } from './aws-http.ts';
import { parseEnv, setting } from './env.ts';

/** What it is encrypted for is the encryption context: for nothing else can it be decrypted, and the trail of KMS names it. */

const { SECRETS_KEY_ID } = parseEnv({ SECRETS_KEY_ID: setting });

type Context = Readonly<Record<string, string>>;

const ATTEMPT_MILLISECONDS = 2_000;

/** All attempts together take at most 8 s. A request that also waits for another service can spare that. */
const client = new KMSClient({ maxAttempts: 3, requestHandler: new AwsHttp(ATTEMPT_MILLISECONDS) });

/** @param secret at most 4,096 bytes @returns Base64 */
export async function encryptSecret(secret: string, context: Context): Promise<string> {
  const { CiphertextBlob } = await client.send(
    new EncryptCommand({
      KeyId: SECRETS_KEY_ID,
      Plaintext: new TextEncoder().encode(secret),
      EncryptionContext: { ...context },
    }),
  );
  if (!CiphertextBlob) throw new Error('KMS has encrypted nothing.');
  return Buffer.from(CiphertextBlob).toString('base64');
}

/** @param ciphertext from `encryptSecret`, for the same context */
export async function decryptSecret(ciphertext: string, context: Context): Promise<string> {
  const { Plaintext } = await client.send(
    new DecryptCommand({
      KeyId: SECRETS_KEY_ID,
      CiphertextBlob: Buffer.from(ciphertext, 'base64'),
      EncryptionContext: { ...context },
    }),
  );
  if (!Plaintext) throw new Error('KMS has decrypted nothing.');
  return new TextDecoder().decode(Plaintext);
}
