import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { FollowUpList } from '#shared/contract/follow-up.ts'
import { listFollowUps } from './service.ts'

/** The automatic mails. Their texts and switches are content entries, and edited as such. */
export const followUpRoutes = (ctx: Context) =>
  new Elysia({ name: 'follow-ups', tags: ['Marketing'] })
    .use(session(ctx))
    .get('/api/admin/follow-ups', () => listFollowUps(ctx), {
      owner: true,
      apart: 'report',
      says: 'Lists automatic emails, with what they’ve sent.',
      response: { 200: FollowUpList, ...errorResponses },
    })
