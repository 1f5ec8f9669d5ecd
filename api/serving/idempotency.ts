import { and, eq, gt, lte } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { idempotencyResponses } from '#api/db/schema/system.ts'
import { AppError } from '#api/errors.ts'
import { Id } from '#shared/contract/fields.ts'
import { dayMs } from '#shared/rules/durations.ts'

const expiryDays = 7

export type Keyed = { scope: string; key: string | undefined; body: unknown }

/**
 * Runs `work` once per Idempotency-Key. The same key and body get the same response and one row, another body gets a 409. Without
 * a key it just runs. Key and row share a transaction, so a crash leaves neither.
 */
export function runOncePerKey<Result>(
  ctx: Context,
  { scope, key, body }: Keyed,
  response: v.GenericSchema<unknown, Result>,
  work: () => Result,
): Result {
  if (key === undefined) return transact(ctx, work)
  if (!v.is(Id, key))
    throw new AppError('invalid', 'The Idempotency-Key isn’t a valid id.', {
      fields: { 'idempotency-key': 'This isn’t a valid id.' },
    })
  const bodyHash = new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest('base64url')
  return transact(ctx, () => {
    const { scope: inScope, key: ofKey, createdAt } = idempotencyResponses
    const known = ctx.db
      .select({ bodyHash: idempotencyResponses.bodyHash, answer: idempotencyResponses.answer })
      .from(idempotencyResponses)
      .where(and(eq(inScope, scope), eq(ofKey, key), gt(createdAt, oldestValid(ctx))))
      .get()
    if (known !== undefined) {
      if (known.bodyHash !== bodyHash)
        throw new AppError('idempotency_conflict', 'You’ve already sent this with other details.')
      return v.parse(response, known.answer)
    }
    const made = work()
    const now = ctx.now().toISOString()
    upsert(ctx, idempotencyResponses, { scope, key, bodyHash, status: 200, answer: made, createdAt: now })
    return made
  })
}

export const deleteOldKeys = (ctx: Context): number =>
  ctx.db
    .delete(idempotencyResponses)
    .where(lte(idempotencyResponses.createdAt, oldestValid(ctx)))
    .run().changes

const oldestValid = (ctx: Context) => new Date(ctx.now().getTime() - expiryDays * dayMs).toISOString()
