import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { archiveResponse } from '#api/features/profile/archive-service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { ExportSize } from '#shared/contract/move-out.ts'
import { exportEverything, sizeOfExport } from './export-service.ts'

export const moveOutRoutes = (ctx: Context) =>
  new Elysia({ name: 'move-out' })
    .use(session(ctx))
    .get('/api/admin/exports/all', () => sizeOfExport(ctx), {
      provenOwner: true,
      response: { 200: ExportSize, ...errorResponses },
    })
    .get(
      '/api/admin/exports/all.zip',
      ({ owner, set, request, server }) => {
        // Media can take longer than the server's idle timeout.
        server?.timeout(request, 0)
        return archiveResponse(ctx, exportEverything(ctx, owner), set)
      },
      { provenOwner: true, response: { 200: v.any(), ...errorResponses } },
    )
