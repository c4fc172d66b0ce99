import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { KeyPlan } from './plans/keys.ts';
import { PRIVATE_FILE_MODE } from './private-files.ts';
import { ServiceError } from './service-error.ts';

/**
 * The part of KMS that a service needs to keep secrets: symmetric keys. Their material lies in the data folder. The
 * encryption context is the additional authenticated data. A ciphertext is `key id (36 bytes) | nonce (12) | tag
 * (16) | encrypted text`.
 */

const KEY_ID_BYTES = 36;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAXIMUM_PLAINTEXT_BYTES = 4_096;

const base64 = v.pipe(
  v.string(),
  v.transform((text) => Buffer.from(text, 'base64')),
);
const encryptionContext = v.optional(v.record(v.string(), v.string()), {});

const requests = {
  Encrypt: v.object({ KeyId: v.string(), Plaintext: base64, EncryptionContext: encryptionContext }),
  Decrypt: v.object({ KeyId: v.optional(v.string()), CiphertextBlob: base64, EncryptionContext: encryptionContext }),
  GenerateDataKey: v.object({
    KeyId: v.string(),
    KeySpec: v.optional(v.picklist(['AES_128', 'AES_256'])),
    NumberOfBytes: v.optional(v.number()),
    EncryptionContext: encryptionContext,
  }),
};

type EncryptionContext = Readonly<Record<string, string>>;

export class Kms {
  readonly #keys: readonly KeyPlan[];
  readonly #material: Readonly<Record<string, string>>;

  constructor(dataDir: string, keys: readonly KeyPlan[]) {
    this.#keys = keys;
    this.#material = ensureMaterial(join(dataDir, 'kms.json'), keys);
  }

  /** The key that a request is about: the key that it names, or the key that its ciphertext was made with. */
  keyArnOf(body: unknown): string {
    const { KeyId, CiphertextBlob } = parse(
      v.object({ KeyId: v.optional(v.string()), CiphertextBlob: v.optional(base64) }),
      body,
    );
    const id = KeyId ?? CiphertextBlob?.toString('latin1', 0, KEY_ID_BYTES) ?? '';
    return this.#find(id, KeyId === undefined).arn;
  }

  call(operation: string, body: unknown): unknown {
    switch (operation) {
      case 'Encrypt': {
        const { KeyId, Plaintext, EncryptionContext } = parse(requests.Encrypt, body);
        if (Plaintext.length === 0 || Plaintext.length > MAXIMUM_PLAINTEXT_BYTES) {
          throw new ServiceError('ValidationException', 'The plaintext must have 1 to 4096 bytes.');
        }
        return this.#encrypted(this.#find(KeyId), Plaintext, EncryptionContext);
      }
      case 'Decrypt': {
        const { KeyId, CiphertextBlob, EncryptionContext } = parse(requests.Decrypt, body);
        return this.#decrypted(KeyId, CiphertextBlob, EncryptionContext);
      }
      case 'GenerateDataKey': {
        const { KeyId, KeySpec, NumberOfBytes, EncryptionContext } = parse(requests.GenerateDataKey, body);
        const plaintext = randomBytes(NumberOfBytes ?? (KeySpec === 'AES_128' ? 16 : 32));
        return {
          ...this.#encrypted(this.#find(KeyId), plaintext, EncryptionContext),
          Plaintext: plaintext.toString('base64'),
        };
      }
      default:
        throw new ServiceError('UnknownOperationException', `The local cloud's KMS has no ${operation}.`);
    }
  }

  #encrypted({ id, arn }: KeyPlan, plaintext: Buffer, context: EncryptionContext): Record<string, string> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#secretOf(id), nonce).setAAD(canonical(context));
    const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    const blob = Buffer.concat([Buffer.from(id, 'latin1'), nonce, cipher.getAuthTag(), text]);
    return { CiphertextBlob: blob.toString('base64'), KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  }

  #decrypted(keyId: string | undefined, blob: Buffer, context: EncryptionContext): Record<string, string> {
    const key = this.#find(blob.toString('latin1', 0, KEY_ID_BYTES), true);
    if (keyId !== undefined && this.#find(keyId) !== key) {
      throw new ServiceError('IncorrectKeyException', 'The ciphertext was made with another key.');
    }
    const textStart = KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;
    try {
      const nonce = blob.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#secretOf(key.id), nonce)
        .setAAD(canonical(context))
        .setAuthTag(blob.subarray(KEY_ID_BYTES + NONCE_BYTES, textStart));
      const plaintext = Buffer.concat([decipher.update(blob.subarray(textStart)), decipher.final()]);
      return { Plaintext: plaintext.toString('base64'), KeyId: key.arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
    } catch {
      throw invalidCiphertext();
    }
  }

  #find(name: string, isFromCiphertext = false): KeyPlan {
    const key = this.#keys.find(
      ({ id, arn, aliases }) =>
        id === name || arn === name || aliases.some((alias) => name === alias || name.endsWith(`:${alias}`)),
    );
    if (key) return key;
    throw isFromCiphertext ? invalidCiphertext() : new ServiceError('NotFoundException', `There is no key ${name}.`);
  }

  #secretOf(id: string): Buffer {
    return Buffer.from(this.#material[id] ?? '', 'base64');
  }
}

function invalidCiphertext(): ServiceError {
  return new ServiceError('InvalidCiphertextException', 'The ciphertext, or its encryption context, is not right.');
}

/** The same bytes for the same pairs in any order. */
function canonical(context: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  throw new ServiceError('ValidationException', result.issues.map(({ message }) => message).join('; '));
}

/**
 * Reads the material of the keys and makes what is missing. It never changes or drops material, because
 * ciphertexts depend on it.
 */
function ensureMaterial(path: string, keys: readonly KeyPlan[]): Record<string, string> {
  const material = existsSync(path)
    ? v.parse(v.record(v.string(), v.string()), JSON.parse(readFileSync(path, 'utf8')))
    : {};
  const missing = keys.filter(({ id }) => material[id] === undefined);
  if (missing.length === 0) return material;
  for (const { id } of missing) material[id] = randomBytes(32).toString('base64');
  writeFileSync(`${path}.new`, JSON.stringify(material), { mode: PRIVATE_FILE_MODE });
  renameSync(`${path}.new`, path);
  return material;
}
