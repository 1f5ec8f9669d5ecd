import { AppError } from '#api/errors.ts'

/** argon2id with the runtime's defaults (64 MiB, 2 rounds). */
export const hashPassword = (password: string) => Bun.password.hash(password, 'argon2id')

/** Verified against where there is no such account, so that the time does not tell whether there is one. */
let decoy: Promise<string> | undefined

export async function isRightPassword(password: string, hash: string | null): Promise<boolean> {
  decoy ??= hashPassword(Bun.randomUUIDv7())
  const isRight = await Bun.password.verify(password, hash ?? (await decoy))
  return isRight && hash !== null
}

/** Refuses the passwords that are guessed first. The list is large, so it is loaded only when a password is set. */
export async function assertUncommonPassword(password: string): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (!dictionary['passwords-common'].includes(password.toLowerCase())) return
  const sentence = 'That is one of the first passwords anybody tries. Please choose another.'
  throw new AppError('invalid', sentence, { fields: { newPassword: sentence } })
}
