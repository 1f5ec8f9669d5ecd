import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { emailChanges, users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import { revokeLinks } from '#api/features/accounts/login/link-service.ts'
import { endWhatWasThereBefore, moveAddress } from '#api/features/accounts/login/mailbox-service.ts'
import { queueChangedMail } from '#api/features/accounts/login/mails.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { revokeCodes } from '#api/features/accounts/sign-in/code-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { leaveMailbox } from '#api/mail/retry.ts'
import { keyedHash, newToken } from '#api/secrets.ts'
import type { EmailReportDecision } from '#shared/contract/member-record.ts'
import type { TodayEmailReport } from '#shared/contract/today.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

const reportDays = 7

const hashOf = (ctx: Context, token: string) => keyedHash(ctx, 'email-report', token)
const isOpen = and(isNotNull(emailChanges.reportedAt), isNull(emailChanges.decidedAt))

type OwnersChange = { userId: string; from: string; to: string; by: string }

/** Tells the old address, which can then report the change. Call it in the transaction of an owner's change. */
export function tellOldAddress(ctx: Context, { userId, from, to, by }: OwnersChange): void {
  const [id, token, at] = [ctx.newId(), newToken(), ctx.now().toISOString()]
  const until = new Date(ctx.now().getTime() + reportDays * dayMs).toISOString()
  insertRow(ctx, emailChanges, {
    id,
    userId,
    fromEmail: from,
    toEmail: to,
    requestedAt: at,
    confirmedAt: at,
    expiresAt: until,
    // This token goes nowhere: an owner's change needs no link.
    confirmHash: hashOf(ctx, newToken()),
    reportHash: hashOf(ctx, token),
  })
  queueChangedMail(ctx, { id, userId, to: from, token, by, at, until })
}

/** The old address may be a stranger's, so it gains no access. Until an owner decides, the account gets no login mails. */
export function reportEmailChange(ctx: Context, token: string): void {
  transact(ctx, () => {
    const reportHash = hashOf(ctx, token)
    const change = ctx.db.select().from(emailChanges).where(eq(emailChanges.reportHash, reportHash)).get()
    if (change === undefined || change.decidedAt !== null) throw invalidReport()
    // Pressed again, after a reload for example.
    if (change.reportedAt !== null) return
    const account = accountOf(ctx, change.userId)
    const now = ctx.now().toISOString()
    if (change.expiresAt <= now || account.isAdmin || account.email === change.fromEmail) throw invalidReport()
    ctx.db.update(emailChanges).set({ reportedAt: now }).where(eq(emailChanges.id, change.id)).run()
    revokeLinks(ctx, account.email)
    revokeCodes(ctx, account.email)
    audit(ctx, 'visitor', 'member.email_reported', { targetId: change.userId })
  })
}

const invalidReport = () =>
  new AppError(
    'invalid_link',
    'An owner has dealt with it, or it’s more than 7 days old. Contact us if it’s still wrong.',
  )

/** The reports an owner has to decide, newest first. */
export function listEmailReports(ctx: Context): TodayEmailReport[] {
  const { firstName, lastName, email } = users
  return ctx.db
    .select({
      firstName,
      lastName,
      email,
      memberId: users.id,
      at: emailChanges.reportedAt,
      before: emailChanges.fromEmail,
    })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(isOpen)
    .orderBy(desc(emailChanges.reportedAt))
    .all()
    .map(({ firstName, lastName, ...row }) => ({
      ...row,
      at: row.at ?? '',
      name: nameOrEmail({ firstName, lastName, email: row.email }),
    }))
}

/** Decides all reports about an account. If the old address gets it back, everything is as before, and the current user is out. */
export function decideEmailReport(
  ctx: Context,
  owner: Owner,
  { memberId, keeps }: EmailReportDecision & { memberId: string },
): void {
  transact(ctx, () => {
    const isOfMember = and(eq(emailChanges.userId, memberId), isOpen)
    const oldest = ctx.db.select().from(emailChanges).where(isOfMember).orderBy(emailChanges.requestedAt).get()
    if (oldest === undefined) throw new AppError('conflict', 'Someone has decided this already.')
    const now = ctx.now().toISOString()
    ctx.db.update(emailChanges).set({ decidedAt: now }).where(isOfMember).run()
    if (!keeps) putBack(ctx, memberId, oldest.fromEmail)
    audit(ctx, owner.actor, keeps ? 'member.email_kept' : 'member.email_put_back', { targetId: memberId })
  })
}

function putBack(ctx: Context, id: string, to: string): void {
  const { email: from, isAdmin } = accountOf(ctx, id)
  if (isAdmin) throw new AppError('conflict', 'They’re an owner now, and their address is set on the server.')
  if (isKnownAddress(ctx, to)) throw new AppError('conflict', 'Another account has the old address now.')
  moveAddress(ctx, id, { from, to })
  leaveMailbox(ctx, { userId: id, from, to, isAccountsOnly: true })
  endWhatWasThereBefore(ctx, { id, email: to }, { cause: 'address', keepsTyped: true })
  for (const email of [from, to]) revokeCodes(ctx, email)
  // The next sync tells the provider.
  ctx.db.update(emailChanges).set({ providerToldAt: null }).where(eq(emailChanges.userId, id)).run()
}

function accountOf(ctx: Context, id: string) {
  const { email, isAdmin } = users
  const found = ctx.db.select({ email, isAdmin }).from(users).where(eq(users.id, id)).get()
  if (found === undefined) throw invalidReport()
  return found
}
