import type { Context } from '#api/context.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { absentPerson, type Member, type Owner } from '#api/identity/person.ts'
import type { ErrorCode } from '#shared/contract/error.ts'

/** The member, and who asks on their behalf. `isThere`: the member is at the browser, so their bank can ask them to confirm. */
export type OnBehalf = { person: Member; actor: string; isThere: boolean }

export const byThemselves = (person: Member): OnBehalf => ({ person, actor: `user:${person.id}`, isThere: true })

/** An owner acts for a member. The bank can't ask the member anything. */
export function onBehalfOf(ctx: Context, owner: Owner, memberId: string): OnBehalf {
  const person = absentPerson(ctx, owner, memberId)
  if (person === null) throw memberNotFound()
  return { person, actor: owner.actor, isThere: false }
}

const owners: Partial<Record<ErrorCode, string>> = {
  unanswered:
    'We don’t know yet whether Stripe has done this. Check the member in a few minutes, before you try again.',
  payment_provider_unavailable: 'We can’t reach Stripe, so nothing has changed. Try again in a few minutes.',
  payment_provider_refused: 'Stripe refused this. If it happens again, look for it in Stripe’s dashboard.',
}

/** The reasons are worded for the member, and an owner should read them as such. `lead` says what didn't happen. */
export async function toldAboutMember<Result>(lead: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const sentence = error instanceof AppError ? owners[error.code] : undefined
    if (error instanceof AppError && sentence !== undefined) throw new AppError(error.code, sentence)
    if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'access_revoked')) throw error
    throw new AppError('conflict', `${lead} The member would read: “${error.message}”`)
  }
}
