import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { refusals } from '#api/http/answers.ts'
import { session } from '#api/http/session.ts'
import { Mrr } from '#shared/contract/admin.ts'
import { monthlyRevenue } from './service.ts'

export const revenueRoutes = (ctx: Context) =>
  new Elysia({ name: 'revenue' })
    .use(session(ctx))
    .get('/api/admin/mrr', () => monthlyRevenue(ctx), { owner: true, response: { 200: Mrr, ...refusals } })
