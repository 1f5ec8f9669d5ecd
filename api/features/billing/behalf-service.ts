import type { Context } from '#api/context.ts'
import { AppError, notFound } from '#api/errors.ts'
import { type Owner, type Person, personById } from '#api/http/session.ts'

/** Whose membership it is, and who asks; `isThere`: the member, whose bank may ask them to confirm. */
export type OnBehalf = { person: Person; actor: string; isThere: boolean }

export const byThemselves = (person: Person): OnBehalf => ({ person, actor: `user:${person.id}`, isThere: true })

/** An owner asks for a member, who is named by id and whose bank cannot ask them anything. */
export function onBehalfOf(ctx: Context, { actor }: Owner, memberId: string): OnBehalf {
  const person = personById(ctx, memberId)
  if (person === null) throw notFound('This member')
  return { person, actor, isThere: false }
}

/** The reasons are written for the member: an owner reads them as such. `lead` says what has not happened. */
export async function toldAboutMember<Result>(lead: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'access_revoked')) throw error
    throw new AppError('conflict', `${lead} The member would read: “${error.message}”`)
  }
}
