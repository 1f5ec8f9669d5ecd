import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { SetupCheck, SetupParams, SetupState } from '#shared/contract/setup.ts'
import { SiteCopy } from '#shared/contract/site-copy.ts'
import { checkSetup } from './check-service.ts'
import { readSiteCopy } from './copy-service.ts'
import { readSetup } from './service.ts'

export const setupRoutes = (ctx: Context) =>
  new Elysia({ name: 'setup', tags: ['Running the site'] })
    .use(session(ctx))
    .get('/api/admin/setup', () => readSetup(ctx), {
      owner: true,
      says: 'Shows which parts of the setup are done.',
      response: { 200: SetupState, ...errorResponses },
    })
    .post('/api/admin/setup/:name/check', ({ owner, params: { name } }) => checkSetup(ctx, owner, name), {
      owner: 'it tries something out and keeps nothing',
      says: 'Checks one part of the setup.',
      audit: null,
      params: SetupParams,
      response: { 200: SetupCheck, ...errorResponses },
    })
    .get('/api/admin/site-copy', () => readSiteCopy(ctx), {
      owner: true,
      says: 'Returns your content, to copy it to another site.',
      response: { 200: SiteCopy, ...errorResponses },
    })
