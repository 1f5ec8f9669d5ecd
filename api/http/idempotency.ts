import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError } from '#api/errors.ts'
import { Id } from '#shared/contract/fields.ts'

const keptDays = 7

export type Keyed = { scope: string; key: string | undefined; body: unknown }

/**
 * Runs `work` once per Idempotency-Key: the same key and body get the same answer and one row, another body a 409.
 * Without a key it simply runs. All in one transaction, so that a crash leaves neither row nor key.
 */
export function onceByKey<Answer>(
  ctx: Context,
  { scope, key, body }: Keyed,
  answer: v.GenericSchema<unknown, Answer>,
  work: () => Answer,
): Answer {
  if (key === undefined) return transact(ctx, work)
  if (!v.is(Id, key))
    throw new AppError('invalid', 'The Idempotency-Key is not a valid id.', {
      fields: { 'idempotency-key': 'This is not a valid id.' },
    })
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest('base64url')
  return transact(ctx, () => {
    const known = ctx.sqlite
      .prepare<[string, string, string], { bodyHash: string; answer: string }>(
        'select bodyHash, answer from idempotency_answers where scope = ? and key = ? and createdAt > ?',
      )
      .get(scope, key, new Date(ctx.now().getTime() - keptDays * 86_400_000).toISOString())
    if (known !== undefined) {
      if (known.bodyHash !== bodyHash)
        throw new AppError('idempotency_conflict', 'This was already sent with other details.')
      return v.parse(answer, JSON.parse(known.answer))
    }
    const made = work()
    ctx.sqlite
      .prepare(
        'insert or replace into idempotency_answers (scope, key, bodyHash, status, answer, createdAt) values (?, ?, ?, 200, ?, ?)',
      )
      .run(scope, key, bodyHash, JSON.stringify(made), ctx.now().toISOString())
    return made
  })
}

/** Forgets keys that are past their time. */
export function forgetOldKeys(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - keptDays * 86_400_000).toISOString()
  return ctx.sqlite.prepare('delete from idempotency_answers where createdAt <= ?').run(before).changes
}
