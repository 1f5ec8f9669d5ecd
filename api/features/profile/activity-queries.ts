import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { displayName } from '#api/db/customers.ts'
import { nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { users } from '#api/db/schema/people.ts'
import type { MemberActivity, MemberActivityQuery } from '#shared/contract/member-record.ts'

const { id, at, actor, action, detail, targetId } = auditEntries

const listing: Listing<'at'> = { id, sorts: { at }, defaultSort: '-at', search: [action] }

type Request = MemberActivityQuery & { limit: number }

export function listActivity(ctx: Context, memberId: string, request: Request): ListPage<MemberActivity> {
  const found = (where: SQL[]) => and(eq(targetId, memberId), ...where)
  const page = readPage(listing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ id, at, action, actor, detail, name: nullable(users.email, sql`${displayName}`), position })
        .from(auditEntries)
        .leftJoin(users, eq(actor, sql`'user:' || ${users.id}`))
        .where(found(where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) => countWhere(ctx, auditEntries, found(where)),
  })
  return { ...page, rows: page.rows.map((row) => toActivity(row, memberId)) }
}

type Row = Omit<MemberActivity, 'by'> & { actor: string }

function toActivity({ actor: who, name, detail: said, ...row }: Row, memberId: string): MemberActivity {
  const by = byOf(who, memberId)
  // Address hashes tell an owner nothing.
  const { address: _, account: __, ...shown } = said
  return { ...row, detail: shown, by, name: by === 'owner' ? name : null }
}

export function byOf(who: string, memberId: string): MemberActivity['by'] {
  if (who === `user:${memberId}`) return 'member'
  if (who.startsWith('user:')) return 'owner'
  return who.startsWith('local:') ? 'terminal' : 'site'
}
