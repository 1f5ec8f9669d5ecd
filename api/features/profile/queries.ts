import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { belongsToUser, displayName } from '#api/db/customers.ts'
import { nullable } from '#api/db/expressions.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { users } from '#api/db/schema/people.ts'
import { renewalNotices } from '#api/db/schema/renewal-notices.ts'
import { cancellations } from '#api/db/schema/subscriptions.ts'
import type { Member } from '#api/identity/person.ts'
import { type CancellationCopy, type NoticeCopy, OwnActivity, ownActions } from '#shared/contract/account.ts'
import { byOf } from './activity-queries.ts'

const shownEntries = 200

const { id, at, actor, action, detail, targetId } = auditEntries

/** What the account did, or others did to it, newest first, including each time an owner viewed the site as this member. */
export const listOwnActivity = (ctx: Context, { id: memberId }: Member): OwnActivity[] =>
  ctx.db
    .select({ id, at, action, actor, detail, name: nullable(users.email, sql`${displayName}`) })
    .from(auditEntries)
    .leftJoin(users, eq(actor, sql`'user:' || ${users.id}`))
    .where(and(eq(targetId, memberId), inArray(action, [...ownActions])))
    .orderBy(desc(id))
    .limit(shownEntries)
    .all()
    .map(({ actor: who, name, detail: said, ...row }) => {
      const by = byOf(who, memberId)
      const reason = typeof said.reason === 'string' && said.reason !== '' ? said.reason : null
      return v.parse(OwnActivity, { ...row, by, name: by === 'owner' ? name : null, reason })
    })

/** Newest first. */
export const listNotices = ({ db }: Context, { id: userId }: Member): NoticeCopy[] =>
  db
    .select({
      id: renewalNotices.id,
      toldAt: renewalNotices.toldAt,
      subject: renewalNotices.subject,
      text: renewalNotices.text,
    })
    .from(renewalNotices)
    .where(belongsToUser(db, renewalNotices.customerId, userId))
    .orderBy(desc(renewalNotices.toldAt), desc(renewalNotices.id))
    .all()

/** Newest first. */
export const listCancellations = ({ db }: Context, { id: userId }: Member): CancellationCopy[] =>
  db
    .select({
      id: cancellations.id,
      cancelledAt: cancellations.cancelledAt,
      subject: cancellations.subject,
      text: cancellations.text,
    })
    .from(cancellations)
    .where(belongsToUser(db, cancellations.customerId, userId))
    .orderBy(desc(cancellations.cancelledAt), desc(cancellations.id))
    .all()
