import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { tellOfAnswer } from './mails.ts'
import { answerById, lateAnswers } from './queries.ts'

/** How long the member waits for an answer's voice note before they're told of the rest. */
const voiceWaitMs = 15 * 60_000

/** Tells the member of an answer once all of it is there, in the transaction that brings the last of it. Older ones aren't news. */
export function tellOnceWhole(ctx: Context, messageId: string): void {
  const answer = answerById.get(ctx, { messageId })
  if (answer === undefined || answer.missing > 0 || answer.receivedAt < ago(ctx, dayMs)) return
  tellOfAnswer(ctx, { ...answer, messageId })
}

/** Tells the members whose coach's voice note hasn't come in time: that phone may be off. Nobody is told twice. */
export function tellOfLateAnswers(ctx: Context): number {
  const late = lateAnswers.all(ctx, { since: ago(ctx, dayMs), before: ago(ctx, voiceWaitMs) })
  for (const answer of late) transact(ctx, () => tellOfAnswer(ctx, answer))
  return late.length
}

const ago = ({ now }: Context, ms: number): string => new Date(now().getTime() - ms).toISOString()
