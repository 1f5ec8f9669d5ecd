import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { commitments } from '#api/db/schema/commitments.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { newCommitment } from '#api/features/commitments/service.ts'
import { commitmentSeeds } from '#data/seed/commitments.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

/** What the named accounts have said they'd do, some of it two weeks ago. */
export function seedCommitments(ctx: Context): void {
  const today = londonDay(ctx.now())
  const createdAt = new Date(ctx.now().getTime() - 14 * dayMs).toISOString()
  for (const { email, text, inDays, madeBy = 'member', video, ...seed } of commitmentSeeds) {
    const userId = findAccount(ctx, email)?.id
    if (userId === undefined) continue
    const made = { id: ctx.newId(), userId, madeBy, text, day: addDays(today, inDays), state: seed.state, createdAt }
    const videoId = video === undefined ? null : videoTitled(ctx, video)
    const doneOn = seed.state === 'done' ? addDays(today, seed.doneInDays) : null
    insertRow(ctx, commitments, { ...newCommitment({ ...made, videoId, callId: null }), doneOn })
  }
}

const videoTitled = ({ db }: Context, title: string): string | null =>
  db.select({ id: memberVideos.id }).from(memberVideos).where(eq(memberVideos.title, title)).get()?.id ?? null
