import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { memberInvitations } from '#api/db/schema/invitations.ts'
import { users } from '#api/db/schema/people.ts'
import { findObstacle } from '#api/features/subscriptions/obstacle-queries.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

const isOpen = (ctx: Context) =>
  and(isNull(memberInvitations.closedAt), gt(memberInvitations.expiresAt, ctx.now().toISOString()))

export type InvitationRow = typeof memberInvitations.$inferSelect

export const findOpenInvitation = (ctx: Context, id: string): InvitationRow | undefined =>
  ctx.db
    .select()
    .from(memberInvitations)
    .where(and(eq(memberInvitations.id, id), isOpen(ctx)))
    .get()

export const openInvitationTo = (ctx: Context, email: string): InvitationRow | undefined =>
  ctx.db
    .select()
    .from(memberInvitations)
    .where(and(eq(memberInvitations.email, email), isOpen(ctx)))
    .get()

/** Newest first. Someone who has joined since isn't waiting any more. */
export const listOpenInvitations = (ctx: Context) =>
  ctx.db
    .select({ row: memberInvitations, by: users })
    .from(memberInvitations)
    .leftJoin(users, eq(users.id, memberInvitations.invitedBy))
    .where(isOpen(ctx))
    .orderBy(desc(memberInvitations.sentAt), desc(memberInvitations.id))
    .limit(200)
    .all()
    .filter(({ row }) => findObstacle(ctx, row.email) === null)
    .map(({ row, by }) => ({ ...row, invitedBy: by && nameOrEmail(by) }))
