import type { Context } from '#api/context.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { type Candidate, endedBetween, joinedBetween, seenBetween } from './queries.ts'
import { sendFollowUp, textOf } from './service.ts'

/** After which day a mail goes out, and after which it's too late, as for people who joined years before. */
const daysAfter = {
  'after-joining': { from: 3, to: 10 },
  'not-seen': { from: 14, to: 28 },
  'coming-back': { from: 30, to: 60 },
} as const

type Kind = keyof typeof daysAfter

/** Memberships start and end by the billing clock. Visits use the wall clock. */
const candidates: Record<Kind, (ctx: Context) => Candidate[]> = {
  'after-joining': (ctx) => joinedBetween.all(ctx, windowOf('after-joining', ctx.billingNow())),
  'not-seen': (ctx) => seenBetween.all(ctx, windowOf('not-seen', ctx.now())),
  'coming-back': (ctx) => endedBetween.all(ctx, windowOf('coming-back', ctx.billingNow())),
}

function windowOf(kind: Kind, now: Date): { from: string; to: string } {
  const { from, to } = daysAfter[kind]
  const before = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  return { from: before(to), to: before(from) }
}

export async function sendFollowUps(ctx: Context): Promise<Record<'afterJoining' | 'notSeen' | 'comingBack', number>> {
  const send = async (kind: Kind) => {
    if (!textOf(ctx, kind).isOn) return 0
    let mails = 0
    for (const candidate of candidates[kind](ctx)) {
      if (sendFollowUp(ctx, kind, candidate)) mails += 1
      // Let requests run in between.
      await new Promise(setImmediate)
    }
    return mails
  }
  return {
    afterJoining: await send('after-joining'),
    notSeen: await send('not-seen'),
    comingBack: await send('coming-back'),
  }
}
