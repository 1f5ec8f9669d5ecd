import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { greatest, nullable } from '#api/db/expressions.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { contentChanges, contentDrafts } from '#api/db/schema/content.ts'
import { users } from '#api/db/schema/people.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'

const versions = preparedQuery()((db) =>
  db
    .select({ page: contentChanges.page, version: greatest(contentChanges.seq) })
    .from(contentChanges)
    .groupBy(contentChanges.page),
)

export const versionsOfPages = (ctx: HasDb): Map<string, number> =>
  new Map(versions.all(ctx).map(({ page, version }) => [page, version ?? 0]))

const isActor = sql`${users.id} = substr(${contentChanges.actor}, 6) and ${contentChanges.actor} like 'user:%'`

/** Newest first. */
export const historyOf = preparedQuery<{ page: string }>()((db, { page }) =>
  db
    .select({
      version: contentChanges.seq,
      entry: contentChanges.entry,
      value: contentChanges.value,
      actor: contentChanges.actor,
      name: nullable(users.email, sql`coalesce(nullif(trim(${users.firstName}), ''), ${users.email})`),
      at: contentChanges.at,
    })
    .from(contentChanges)
    .leftJoin(users, isActor)
    .where(eq(contentChanges.page, page))
    .orderBy(desc(contentChanges.seq))
    .limit(200),
)

export const emailOfOwner = ({ db }: HasDb, userId: string | null): string | null =>
  userId === null
    ? null
    : (db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()?.email ?? null)

type DraftKey = { page: string; userId: string }

export const draftOf = preparedQuery<DraftKey>()((db, { page, userId }) =>
  db
    .select()
    .from(contentDrafts)
    .where(and(eq(contentDrafts.page, page), eq(contentDrafts.userId, userId))),
)

export const removeDraft = preparedQuery<DraftKey>()((db, { page, userId }) =>
  db.delete(contentDrafts).where(and(eq(contentDrafts.page, page), eq(contentDrafts.userId, userId))),
)

export const draftsOf = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ page: contentDrafts.page, updatedAt: contentDrafts.updatedAt })
    .from(contentDrafts)
    .where(eq(contentDrafts.userId, userId))
    .orderBy(contentDrafts.page),
)

export const changedSince = preparedQuery<{ page: string; version: number }>()((db, { page, version }) =>
  db
    .selectDistinct({ entry: contentChanges.entry })
    .from(contentChanges)
    .where(and(eq(contentChanges.page, page), gt(contentChanges.seq, version))),
)

const { slug, name, description, features, orderIndex, isActive } = membershipTiers

/** The texts of the tiers that are on sale. */
export const tierTexts = preparedQuery()((db) =>
  db.select({ slug, name, description, features }).from(membershipTiers).where(eq(isActive, true)).orderBy(orderIndex),
)
