import { AppError } from '#api/errors.ts'

/** argon2id with the runtime's defaults (64 MiB, 2 rounds). */
export const hashPassword = (password: string) => Bun.password.hash(password, 'argon2id')

/** Compared against when there is no such account, so that a stranger's guess takes as long as a member's. */
let decoy: Promise<string> | undefined

export async function isRightPassword(password: string, hash: string | null): Promise<boolean> {
  decoy ??= hashPassword(Bun.randomUUIDv7())
  const isRight = await Bun.password.verify(password, hash ?? (await decoy))
  return isRight && hash !== null
}

/** Refuses the passwords that everybody tries first. The list is large, so it is read only when one is set. */
export async function refuseCommonPassword(password: string): Promise<void> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (!dictionary['passwords-common'].includes(password.toLowerCase())) return
  const sentence = 'That is one of the first passwords anybody tries. Please choose another.'
  throw new AppError('invalid', sentence, { fields: { newPassword: sentence } })
}
