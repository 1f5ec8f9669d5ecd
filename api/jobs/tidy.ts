import type { Context } from '#api/context.ts'
import { forgetOldEvents } from '#api/features/analytics/service.ts'
import { forgetFarewells } from '#api/features/members/farewell.ts'
import { forgetOldKeys } from '#api/http/idempotency.ts'
import { forgetOldHits } from '#api/http/limits.ts'
import { forgetUnsentText } from '#api/mail/outbox.ts'

const day = 24 * 60 * 60 * 1000

/** Forgets what is past its time: counted happenings, kept answers, sessions, one-time links, the terminal's tokens, old visits, mail that never went out. */
export function tidy(ctx: Context) {
  const now = ctx.now()
  const until = now.toISOString()
  const yesterday = new Date(now.getTime() - day).toISOString()
  const forget = (statement: string, before: string) => ctx.sqlite.prepare(statement).run(before).changes
  return {
    limitHits: forgetOldHits(ctx),
    analyticsEvents: forgetOldEvents(ctx),
    idempotencyAnswers: forgetOldKeys(ctx),
    unsentMails: forgetUnsentText(ctx),
    farewells: forgetFarewells(ctx),
    sessions: forget('delete from sessions where expire <= ?', until),
    passwordResets: forget('delete from password_resets where expiresAt < ?', yesterday),
    apiTokens: forget('delete from api_tokens where expiresAt <= ?', until),
  }
}
