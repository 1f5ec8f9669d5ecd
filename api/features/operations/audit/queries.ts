import { and, count, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { nameOrEmailOf } from '#api/db/customers.ts'
import { isTrue, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { users } from '#api/db/schema/people.ts'
import type { AuditActor, AuditEntry, AuditQuery } from '#shared/contract/audit.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { addDays, londonInstant } from '#shared/rules/london.ts'

const actor = alias(users, 'actor')
const target = alias(users, 'target')

const fields = {
  id: auditEntries.id,
  at: auditEntries.at,
  actor: auditEntries.actor,
  actorName: nullable(actor.email, nameOrEmailOf(actor)),
  isOwner: isTrue(actor.isAdmin),
  action: auditEntries.action,
  targetId: nullable(target.id),
  targetName: nullable(target.email, nameOrEmailOf(target)),
  detail: auditEntries.detail,
}

const isActor = sql`${actor.id} = substr(${auditEntries.actor}, 6) and ${auditEntries.actor} like 'user:%'`

const listing: Listing<'at'> = {
  id: auditEntries.id,
  // Ids sort by time, from the same clock.
  sorts: { at: auditEntries.id },
  defaultSort: '-at',
  search: [actor.firstName, actor.lastName, actor.email, sql`iif(${isActor}, '', ${auditEntries.actor})`],
}

/** Matches every word against the account the action concerned. */
const isAbout = (member: string): SQL | undefined =>
  and(
    ...foldText(member)
      .split(/\s+/)
      .filter(Boolean)
      .map(
        (word) =>
          sql`instr(fold(concat_ws(' ', ${target.firstName}, ${target.lastName}, ${target.email}, ${target.id})), ${word}) > 0`,
      ),
  )

function kindOf(what: string) {
  const { action } = auditEntries
  // A slash comes right after a full stop, so this matches all actions that start with the word and a full stop.
  return what.includes('.')
    ? eq(action, what)
    : or(eq(action, what), and(gte(action, `${what}.`), lt(action, `${what}/`)))
}

const midnight = (day: string) => londonInstant(day, '00:00').toISOString()

const conditionsOf = ({ member, what, from, to }: AuditQuery) => [
  member ? isAbout(member) : undefined,
  what === undefined ? undefined : kindOf(what),
  from === undefined ? undefined : gte(auditEntries.at, midnight(from)),
  to === undefined ? undefined : lt(auditEntries.at, midnight(addDays(to, 1))),
]

const defaultPage = 200

/** Newest first. `q` matches who did it: an owner, a member, `system`, or `local` for the terminal. */
export function listAudit(ctx: Context, query: AuditQuery): ListPage<AuditEntry> {
  const conditions = conditionsOf(query)
  const page = readPage(
    listing,
    { ...query, limit: query.limit ?? defaultPage },
    {
      rows: ({ where, orderBy, limit, position }) =>
        ctx.db
          .select({ ...fields, position })
          .from(auditEntries)
          .leftJoin(actor, isActor)
          .leftJoin(target, eq(target.id, auditEntries.targetId))
          .where(and(...conditions, ...where))
          .orderBy(...orderBy)
          .limit(limit)
          .all(),
      total: (found) =>
        // Counting follows each join, even if no condition needs it.
        found.length === 0 && !query.member
          ? countWhere(ctx, auditEntries, and(...conditions))
          : (ctx.db
              .select({ n: count() })
              .from(auditEntries)
              .leftJoin(actor, isActor)
              .leftJoin(target, eq(target.id, auditEntries.targetId))
              .where(and(...conditions, ...found))
              .get()?.n ?? 0),
    },
  )
  return { ...page, rows: page.rows.map(toEntry) }
}

type Row = {
  [Name in keyof AuditEntry]: Name extends 'actor' ? string : Name extends 'target' ? never : AuditEntry[Name]
} & { actorName: string | null; isOwner: boolean; targetId: string | null; targetName: string | null }

function toEntry({ id, at, action, detail, ...row }: Omit<Row, 'target'>): AuditEntry {
  const target = row.targetId === null || row.targetName === null ? null : { id: row.targetId, name: row.targetName }
  return { id, at, action, detail, target, actor: actorOf(row) }
}

function actorOf({ actor: by, actorName, isOwner }: Pick<Row, 'actor' | 'actorName' | 'isOwner'>): AuditActor {
  if (by.startsWith('user:')) return { kind: isOwner ? 'owner' : 'member', name: actorName }
  if (by.startsWith('local:')) return { kind: 'program', name: by.slice('local:'.length) }
  return { kind: by === 'visitor' ? 'visitor' : 'system', name: null }
}
