import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { contentOf } from '#api/site/content.ts'
import { isGuessable } from '#shared/values/password.ts'

/** argon2id with the runtime's defaults (64 MiB, 2 rounds). */
export const hashPassword = (password: string) => Bun.password.hash(password, 'argon2id')

/** Verified against if the account doesn't exist, so that the response takes as long. */
let decoy: Promise<string> | undefined

export async function isRightPassword(password: string, hash: string | null): Promise<boolean> {
  decoy ??= hashPassword(Bun.randomUUIDv7())
  const isRight = await Bun.password.verify(password, hash ?? (await decoy))
  return isRight && hash !== null
}

/** Refuses the site's name, the account's address and common passwords, a large list that's loaded only when needed. */
export async function assertUncommonPassword(ctx: Context, password: string, email: string): Promise<void> {
  const { name } = contentOf(ctx).read().site.brand
  if (isGuessable(password, { brand: [name, ...name.split(' ')], email })) {
    const sentence = 'That’s easy to guess. Don’t use our name or your email address.'
    throw new AppError('invalid', sentence, { fields: { newPassword: sentence } })
  }
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (!dictionary['passwords-common'].includes(password.toLowerCase())) return
  const sentence = 'That’s one of the most common passwords. Choose another.'
  throw new AppError('invalid', sentence, { fields: { newPassword: sentence } })
}
