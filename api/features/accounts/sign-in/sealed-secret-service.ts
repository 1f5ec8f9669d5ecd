import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Context } from '#api/context.ts'
import { keyedHash } from '#api/secrets.ts'

const algorithm = 'aes-256-gcm'

const keyFor = (ctx: Context, userId: string) => Buffer.from(keyedHash(ctx, 'authenticator-key', userId), 'base64url')

/** Encrypts a secret we must read back, with a key outside the database, different for each account. */
export function sealSecret(ctx: Context, userId: string, bytes: Uint8Array): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv(algorithm, keyFor(ctx, userId), iv)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Null if it was sealed under another SESSION_SECRET, or changed. */
export function unsealSecret(ctx: Context, userId: string, sealed: string): Uint8Array<ArrayBuffer> | null {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(algorithm, keyFor(ctx, userId), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return new Uint8Array(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]))
  } catch {
    return null
  }
}
