import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { KEYS_FILE, readDataFile } from './data-files.ts';
import type { KeyPlan } from './plans/keys.ts';
import { writePrivateFile } from './private-files.ts';
import { ServiceError } from './service-error.ts';

/**
 * Symmetric keys that encrypt and decrypt. Their material lies in the data folder. The encryption context is the
 * additional authenticated data. A ciphertext is `key id (36 bytes) | nonce (12) | tag (16) | encrypted text`.
 */

const KEY_ID_BYTES = 36;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAXIMUM_PLAINTEXT_BYTES = 4_096;

const base64 = v.pipe(
  v.string(),
  v.transform((text) => Buffer.from(text, 'base64')),
);
const EncryptionContext = v.optional(v.record(v.string(), v.string()), {});

const encrypt = v.object({ KeyId: v.string(), Plaintext: base64, EncryptionContext });
const decrypt = v.object({ KeyId: v.optional(v.string()), CiphertextBlob: base64, EncryptionContext });

export class Kms {
  readonly #keys: readonly KeyPlan[];
  readonly #material: Readonly<Record<string, string>>;

  constructor(dataDir: string, keys: readonly KeyPlan[]) {
    this.#keys = keys;
    this.#material = ensureMaterial(join(dataDir, KEYS_FILE), keys);
  }

  /** The key that a request names, or that its ciphertext was made with. */
  keyArnOf(body: unknown): string {
    const named = v.object({ KeyId: v.optional(v.string()), CiphertextBlob: v.optional(base64) });
    const { KeyId, CiphertextBlob } = parse(named, body);
    return KeyId === undefined ? this.#keyOf(CiphertextBlob ?? Buffer.of()).arn : this.#find(KeyId).arn;
  }

  /** The encryption context of a request, as policies see it. */
  contextOf(body: unknown): Record<string, string[]> {
    const { EncryptionContext: context } = parse(v.object({ EncryptionContext }), body);
    return Object.fromEntries(
      Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, [value]]),
    );
  }

  call(operation: string, body: unknown): object {
    if (operation === 'Encrypt') return this.#encrypt(parse(encrypt, body));
    if (operation === 'Decrypt') return this.#decrypt(parse(decrypt, body));
    throw new ServiceError('UnknownOperationException', `The local cloud's KMS has no ${operation}.`);
  }

  #encrypt({ KeyId, Plaintext, EncryptionContext: context }: v.InferOutput<typeof encrypt>): object {
    if (Plaintext.length === 0 || Plaintext.length > MAXIMUM_PLAINTEXT_BYTES) {
      throw new ServiceError('ValidationException', 'The plaintext must have 1 to 4096 bytes.');
    }
    const { id, arn } = this.#find(KeyId);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#secretOf(id), nonce).setAAD(canonical(context));
    const text = Buffer.concat([cipher.update(Plaintext), cipher.final()]);
    const blob = Buffer.concat([Buffer.from(id, 'latin1'), nonce, cipher.getAuthTag(), text]);
    return { CiphertextBlob: blob.toString('base64'), KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  }

  #decrypt({ KeyId, CiphertextBlob: blob, EncryptionContext: context }: v.InferOutput<typeof decrypt>): object {
    const key = this.#keyOf(blob);
    if (KeyId !== undefined && this.#find(KeyId) !== key) {
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

  #keyOf(ciphertext: Buffer): KeyPlan {
    const key = this.#keys.find(({ id }) => id === ciphertext.toString('latin1', 0, KEY_ID_BYTES));
    if (!key) throw invalidCiphertext();
    return key;
  }

  #find(name: string): KeyPlan {
    const key = this.#keys.find(({ id, arn, aliases }) => [id, arn, ...aliases].includes(name));
    if (!key) throw new ServiceError('NotFoundException', `There is no key ${name}.`);
    return key;
  }

  #secretOf(id: string): Buffer {
    return Buffer.from(this.#material[id] ?? '', 'base64');
  }
}

function invalidCiphertext(): ServiceError {
  return new ServiceError('InvalidCiphertextException', 'The ciphertext, or its encryption context, is not right.');
}

/** The same bytes for the same pairs in any order. */
function canonical(context: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  throw new ServiceError('ValidationException', result.issues.map(({ message }) => message).join('; '));
}

/** Makes what is missing. It never changes or drops material, because ciphertexts depend on it. */
function ensureMaterial(path: string, keys: readonly KeyPlan[]): Record<string, string> {
  const material = existsSync(path) ? readDataFile(path, keyMaterial, 'it holds no keys') : {};
  const missing = keys.filter(({ id }) => material[id] === undefined);
  if (missing.length === 0) return material;
  for (const { id } of missing) material[id] = randomBytes(KEY_BYTES).toString('base64');
  writePrivateFile(path, material);
  return material;
}

const KEY_BYTES = 32;

const keyMaterial = v.record(
  v.string(),
  v.pipe(
    v.string(),
    v.check((text) => Buffer.from(text, 'base64').length === KEY_BYTES, `A key has ${KEY_BYTES} bytes.`),
  ),
);
