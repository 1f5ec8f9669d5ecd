import { and, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { mailingRecipients, mailings } from '#api/db/schema/outreach.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import { assertTiers } from '#api/features/tiers/service.ts'
import type { Owner } from '#api/identity/person.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import type { Done } from '#shared/contract/auth.ts'
import { Mailing, type MailingChange, type MailingRequest } from '#shared/contract/mailing.ts'
import { recordAudience } from './audience-queries.ts'
import {
  dueMailings,
  findMailing,
  type MailingRow,
  mailingOfCause,
  mailingRow,
  sendingMailings,
  setMailingTiers,
  takeBackMails,
} from './queries.ts'

export function readMailing(ctx: Context, id: string): Mailing {
  const found = findMailing(ctx, id)
  if (found === null) throw notFound('This campaign')
  return found
}

export function rowOf(ctx: Context, id: string): MailingRow {
  const row = mailingRow(ctx, id)
  if (row === undefined) throw notFound('This campaign')
  return row
}

type New = { request: MailingRequest; key: string | undefined }

/** Repeating a request with the same key creates nothing. */
export const createMailing = (ctx: Context, owner: Owner, { request, key }: New): Mailing =>
  runOncePerKey(ctx, { scope: 'mailing', key, body: request }, Mailing, () => {
    assertTiers(ctx, 'tiers', request.segment.tiers)
    const [id, at] = [ctx.newId(), ctx.now().toISOString()]
    insertRow(ctx, mailings, { id, ...withoutTiers(request), createdAt: at, updatedAt: at })
    setMailingTiers(ctx, id, request.segment.tiers)
    audit(ctx, owner.actor, 'mailing.added', { targetId: id, detail: { subject: request.subject } })
    return readMailing(ctx, id)
  })

/** Sending the same change again after a lost response isn't a conflict. A sent mailing can't change. */
export function changeMailing(ctx: Context, owner: Owner, id: string, change: MailingChange): Mailing {
  return transact(ctx, () => {
    const current = readMailing(ctx, id)
    const { version, ...wanted } = change
    const { subject, text, purpose, segment, perMinute } = current
    if (JSON.stringify(wanted) === JSON.stringify({ subject, text, purpose, segment, perMinute })) return current
    assertTiers(ctx, 'tiers', wanted.segment.tiers)
    assertDraft(current)
    if (version !== current.version) throw versionConflict({ sent: change, current })
    ctx.db
      .update(mailings)
      .set({ ...withoutTiers(wanted), version: version + 1, updatedAt: ctx.now().toISOString() })
      .where(eq(mailings.id, id))
      .run()
    setMailingTiers(ctx, id, wanted.segment.tiers)
    audit(ctx, owner.actor, 'mailing.changed', { targetId: id, detail: { subject: wanted.subject } })
    return readMailing(ctx, id)
  })
}

function withoutTiers<Request extends Pick<MailingRequest, 'segment'>>({ segment, ...rest }: Request) {
  const { tiers: _, ...narrowed } = segment
  return { ...rest, segment: narrowed }
}

function assertDraft({ status }: Pick<Mailing, 'status'>): void {
  if (status === 'scheduled') throw new AppError('conflict', 'This campaign is scheduled. Cancel sending first.')
  if (status !== 'draft') throw new AppError('conflict', 'This campaign has been sent, so you can’t change it.')
}

export function removeMailing(ctx: Context, owner: Owner, id: string, version: number): Done {
  return transact(ctx, () => {
    const current = readMailing(ctx, id)
    assertDraft(current)
    if (version !== current.version) throw versionConflict({ sent: { id, version }, current })
    ctx.db.delete(mailings).where(eq(mailings.id, id)).run()
    audit(ctx, owner.actor, 'mailing.removed', { targetId: id, detail: { subject: current.subject } })
    return { success: true }
  })
}

type Sent = { id: string; version: number; gets: number }

/** Records the recipients; the job sends. Refused unless `gets` is still the recipient count. Safe to repeat. */
export function sendOff(ctx: Context, owner: Owner, { id, version, gets }: Sent): Mailing {
  return transact(ctx, () => {
    const row = rowOf(ctx, id)
    if (row.status !== 'draft') return readMailing(ctx, id)
    if (version !== row.version) throw versionConflict({ sent: { id, version }, current: readMailing(ctx, id) })
    const now = startMailing(ctx, owner.actor, row)
    // Taken back with all that was written.
    if (now !== gets) throw new AppError('conflict', `The audience has changed. ${now} would get it now. Look again.`)
    if (gets > 1) assertOwnerProven(ctx, owner)
    return readMailing(ctx, id)
  })
}

/** Returns how many get it. */
function startMailing(ctx: Context, actor: string, row: MailingRow): number {
  const { people, gets } = recordAudience(ctx, row)
  setStatus(ctx, row, { status: 'sending', sendAt: null, startedAt: ctx.now().toISOString(), people })
  audit(ctx, actor, 'mailing.sent', { targetId: row.id, detail: { subject: row.subject, told: gets } })
  return gets
}

type Scheduled = { id: string; version: number; sendAt: string }

/** The job starts it then, for its audience at that time. Safe to repeat. */
export function scheduleMailing(ctx: Context, owner: Owner, { id, version, sendAt }: Scheduled): Mailing {
  return transact(ctx, () => {
    const row = rowOf(ctx, id)
    const at = new Date(sendAt)
    assertNotSent(row)
    if (row.sendAt === at.toISOString()) return readMailing(ctx, id)
    if (version !== row.version) throw versionConflict({ sent: { id, version }, current: readMailing(ctx, id) })
    if (at <= ctx.now()) throw new AppError('conflict', 'That time has passed. Choose a later one.')
    setStatus(ctx, row, { sendAt: at.toISOString() })
    audit(ctx, owner.actor, 'mailing.scheduled', { targetId: id, detail: { subject: row.subject, sendAt } })
    return readMailing(ctx, id)
  })
}

/** Makes it a draft again. Safe to repeat. */
export function unscheduleMailing(ctx: Context, owner: Owner, id: string): Mailing {
  return transact(ctx, () => {
    const row = rowOf(ctx, id)
    assertNotSent(row)
    if (row.sendAt === null) return readMailing(ctx, id)
    setStatus(ctx, row, { sendAt: null })
    audit(ctx, owner.actor, 'mailing.unscheduled', { targetId: id, detail: { subject: row.subject } })
    return readMailing(ctx, id)
  })
}

function assertNotSent({ status }: MailingRow): void {
  if (status !== 'draft') throw new AppError('conflict', 'This campaign has gone out already.')
}

/** Call it inside a transaction: it may have been moved, cancelled or started since it was found due. */
export function startIfDue(ctx: Context, id: string): void {
  const row = mailingRow(ctx, id)
  if (row?.sendAt && row.sendAt <= ctx.now().toISOString()) startMailing(ctx, 'system', row)
}

type Announced = { cause: string; request: MailingRequest }

/** Starts a mailing from another screen. One per cause, so a second call returns the first. Call it inside a transaction. */
export function sendForCause(ctx: Context, owner: Owner, { cause, request }: Announced): Mailing {
  const known = mailingOfCause(ctx, cause)
  if (known !== undefined) return readMailing(ctx, known.id)
  const [id, at] = [ctx.newId(), ctx.now().toISOString()]
  insertRow(ctx, mailings, { id, ...withoutTiers(request), cause, createdAt: at, updatedAt: at })
  startMailing(ctx, owner.actor, rowOf(ctx, id))
  return readMailing(ctx, id)
}

type Step = 'pause' | 'resume' | 'stop'

const steps = {
  pause: { from: ['sending'], to: 'paused', action: 'mailing.paused' },
  resume: { from: ['paused'], to: 'sending', action: 'mailing.resumed' },
  stop: { from: ['sending', 'paused'], to: 'stopped', action: 'mailing.stopped' },
} as const satisfies Record<Step, { from: readonly Mailing['status'][]; to: Mailing['status']; action: string }>

/** Pauses, resumes or stops a mailing. Once stopped, the remaining recipients get nothing. Safe to repeat. */
export function changeMailingStatus(ctx: Context, owner: Owner, id: string, step: Step): Mailing {
  return transact(ctx, () => {
    const row = rowOf(ctx, id)
    const { from, to, action } = steps[step]
    if (row.status === to) return readMailing(ctx, id)
    if (!from.some((status) => status === row.status)) {
      throw new AppError('conflict', 'This campaign isn’t being sent.')
    }
    if (step === 'resume' && (row.people ?? 0) > 1) assertOwnerProven(ctx, owner)
    if (step === 'stop') dropWaiting(ctx, id)
    setStatus(ctx, row, { status: to, ...(step === 'stop' ? { finishedAt: ctx.now().toISOString() } : {}) })
    audit(ctx, owner.actor, action, { targetId: id, detail: { subject: row.subject } })
    return readMailing(ctx, id)
  })
}

/**
 * What was being sent, or has come due, when the backup was made may have gone out since: after a restore an owner decides.
 * Gives the subjects.
 */
export function holdRestoredMailings(ctx: Context): string[] {
  const due = dueMailings.all(ctx, { now: ctx.now().toISOString() })
  return [...due, ...sendingMailings.all(ctx)].flatMap(({ id }) => {
    const row = mailingRow(ctx, id)
    if (row === undefined) return []
    setStatus(ctx, row, row.status === 'sending' ? { status: 'paused' } : { sendAt: null })
    return [row.subject]
  })
}

function dropWaiting(ctx: Context, id: string): void {
  const { mailingId, status } = mailingRecipients
  takeBackMails(ctx, id)
  ctx.db
    .update(mailingRecipients)
    .set({ status: 'stopped' })
    .where(and(eq(mailingId, id), eq(status, 'waiting')))
    .run()
}

export function setStatus(ctx: Context, { id, version }: MailingRow, change: Partial<MailingRow>): void {
  const changed = { ...change, version: version + 1, updatedAt: ctx.now().toISOString() }
  ctx.db.update(mailings).set(changed).where(eq(mailings.id, id)).run()
}
