import type { Context } from '#api/context.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { absentPerson, type Owner, type Person } from '#api/http/session.ts'

/** The member, and who asks on their behalf. `isThere`: the member is at the browser, so their bank can ask them to confirm. */
export type OnBehalf = { person: Person; actor: string; isThere: boolean }

export const byThemselves = (person: Person): OnBehalf => ({ person, actor: `user:${person.id}`, isThere: true })

/** An owner acts for a member. The bank can't ask the member anything. */
export function onBehalfOf(ctx: Context, { actor }: Owner, memberId: string): OnBehalf {
  const person = absentPerson(ctx, memberId)
  if (person === null) throw memberNotFound()
  return { person, actor, isThere: false }
}

/** The reasons are worded for the member, and an owner should read them as such. `lead` says what didn't happen. */
export async function toldAboutMember<Result>(lead: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'access_revoked')) throw error
    throw new AppError('conflict', `${lead} The member would read: “${error.message}”`)
  }
}
