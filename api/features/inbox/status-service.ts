import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { coachingApplications, coachingBookings, inboxNotes, membershipApplications } from '#api/db/schema/forms.ts'
import { AppError, notFound } from '#api/errors.ts'
import { changeStatus } from '#api/features/calendar/change-service.ts'
import type { Owner } from '#api/identity/person.ts'
import type { Done } from '#shared/contract/auth.ts'
import type { ApplicationStatusRequest, BookingStatusRequest } from '#shared/contract/inbox-entries.ts'

type Change<Request> = Request & { id: string }

export const setApplicationStatus = (ctx: Context, owner: Owner, change: Change<ApplicationStatusRequest>): Done =>
  setStatus(ctx, owner, change, {
    name: 'membership-application',
    read: (id) =>
      ctx.db
        .select({ status: membershipApplications.status })
        .from(membershipApplications)
        .where(eq(membershipApplications.id, id))
        .get(),
    write: ({ id, status }) =>
      ctx.db.update(membershipApplications).set({ status }).where(eq(membershipApplications.id, id)).run(),
  })

export const setCoachingStatus = (ctx: Context, owner: Owner, change: Change<ApplicationStatusRequest>): Done =>
  setStatus(ctx, owner, change, {
    name: 'coaching-application',
    read: (id) =>
      ctx.db
        .select({ status: coachingApplications.status })
        .from(coachingApplications)
        .where(eq(coachingApplications.id, id))
        .get(),
    write: ({ id, status }) =>
      ctx.db.update(coachingApplications).set({ status }).where(eq(coachingApplications.id, id)).run(),
  })

export const setBookingStatus = (ctx: Context, owner: Owner, change: Change<BookingStatusRequest>): Done =>
  setStatus(ctx, owner, change, {
    name: 'coaching-booking',
    read: (id) =>
      ctx.db
        .select({ status: coachingBookings.status })
        .from(coachingBookings)
        .where(eq(coachingBookings.id, id))
        .get(),
    write: ({ id, status }) => changeStatus(ctx, id, status),
  })

type Wanted = { id: string; status: string; before?: string | undefined }

type Rows<Request> = {
  name: 'membership-application' | 'coaching-application' | 'coaching-booking'
  read(id: string): { status: string } | undefined
  write(change: Request): unknown
}

/** Any status may follow any other, unless the other owner has set one this owner hasn't seen. */
function setStatus<Request extends Wanted>(ctx: Context, owner: Owner, change: Request, rows: Rows<Request>): Done {
  return transact(ctx, () => {
    const { id, status, before } = change
    const row = rows.read(id)
    if (row === undefined) throw notFound('This entry')
    if (row.status === status) return { success: true }
    if (before !== undefined && row.status !== before)
      throw new AppError('conflict', `Someone else set this to “${row.status}”, so we haven’t saved your “${status}”.`)
    rows.write(change)
    audit(ctx, owner.actor, `${rows.name}.status`, { targetId: id, detail: { before: row.status, after: status } })
    return { success: true }
  })
}

/** Deletes an application for good. The audit log records what it was, without its text. */
export function deleteApplication(ctx: Context, owner: Owner, id: string): Done {
  return transact(ctx, () => {
    const [deleted] = ctx.db
      .delete(membershipApplications)
      .where(eq(membershipApplications.id, id))
      .returning({ status: membershipApplications.status, createdAt: membershipApplications.createdAt })
      .all()
    if (deleted === undefined) throw notFound('This application')
    ctx.db.delete(inboxNotes).where(eq(inboxNotes.aboutId, id)).run()
    audit(ctx, owner.actor, 'membership-application.deleted', { targetId: id, detail: deleted })
    return { success: true }
  })
}
