import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { announcementDismissals, announcements, announcementTiers } from '#api/db/schema/outreach.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import { assertTiers } from '#api/features/tiers/service.ts'
import type { Member, Owner } from '#api/identity/person.ts'
import { hasChosen } from '#api/mail/choices.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { AdminAnnouncement, type AnnouncementChange, AnnouncementRequest } from '#shared/contract/admin-announcement.ts'
import type { MemberAnnouncements } from '#shared/contract/announcement.ts'
import type { Done } from '#shared/contract/auth.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { readRichText } from '#shared/rules/rich-text.ts'
import { announcementsFor, findAnnouncement, knownAmong } from './queries.ts'

/** A phone that's offline this long still starts a note on time. */
const aheadMs = 14 * dayMs

/** This person's current and upcoming notes. Owners see those of every tier. */
export function announcementsOf(ctx: Context, { id: userId, isAdmin, access }: Member): MemberAnnouncements {
  const at = ctx.billingNow()
  const now = at.toISOString()
  const until = new Date(at.getTime() + aheadMs).toISOString()
  const isFor = (tiers: readonly string[]) => isAdmin || tiers.length === 0 || tiers.includes(access.tier ?? '')
  return {
    now,
    announcements: announcementsFor
      .all(ctx, { userId, now, until })
      .filter(({ tiers }) => isFor(tiers))
      .map(({ id, title, text, startsAt, endsAt }) => ({ id, title, text: readRichText(text), startsAt, endsAt })),
    asksForNews: !isAdmin && !hasChosen(ctx, { userId, purpose: 'news' }),
  }
}

/** Dismissing a note twice, or one that owners have removed, changes nothing. */
export function dismissAnnouncements(ctx: Context, person: Member, ids: readonly string[]): MemberAnnouncements {
  const at = ctx.now().toISOString()
  transact(ctx, () => {
    for (const announcementId of knownAmong(ctx, ids)) {
      insertIfAbsent(ctx, announcementDismissals, { userId: person.id, announcementId, at })
    }
  })
  return announcementsOf(ctx, person)
}

function readAnnouncement(ctx: Context, id: string): AdminAnnouncement {
  const found = findAnnouncement(ctx, id)
  if (found === null) throw notFound('This announcement')
  return found
}

type New = { request: AnnouncementRequest; key: string | undefined }

/** Repeating a request with the same key creates nothing. */
export const createAnnouncement = (ctx: Context, owner: Owner, { request, key }: New): AdminAnnouncement =>
  runOncePerKey(ctx, { scope: 'announcement', key, body: request }, AdminAnnouncement, () => {
    assertTiers(ctx, 'tiers', request.tiers)
    const [id, at] = [ctx.newId(), ctx.now().toISOString()]
    const { tiers, ...stored } = toStored(ctx, request)
    insertRow(ctx, announcements, { id, ...stored, createdAt: at, updatedAt: at })
    setTiers(ctx, id, tiers)
    audit(ctx, owner.actor, 'announcement.added', { targetId: id, detail: { title: request.title } })
    return readAnnouncement(ctx, id)
  })

type Change = { id: string; change: AnnouncementChange }

/** Sending the same change again after a lost response isn't a conflict. */
export function changeAnnouncement(ctx: Context, owner: Owner, { id, change }: Change): AdminAnnouncement {
  return transact(ctx, () => {
    const current = readAnnouncement(ctx, id)
    const { version, ...fields } = change
    const wanted = toStored(ctx, parseAnnouncement({ ...current, ...fields }))
    assertTiers(ctx, 'tiers', wanted.tiers)
    const before = toStored(ctx, current)
    const names = Object.keys(wanted).filter(
      (name) => JSON.stringify(pick(wanted, name)) !== JSON.stringify(pick(before, name)),
    )
    if (names.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    updateAnnouncement(ctx, current, wanted)
    audit(ctx, owner.actor, 'announcement.changed', { targetId: id, detail: { title: wanted.title, fields: names } })
    return readAnnouncement(ctx, id)
  })
}

const pick = (row: Record<string, unknown>, name: string) => row[name]

function updateAnnouncement(
  ctx: Context,
  { id, version }: AdminAnnouncement,
  { tiers, ...wanted }: Partial<AnnouncementRequest>,
): void {
  if (tiers !== undefined) setTiers(ctx, id, tiers)
  ctx.db
    .update(announcements)
    .set({ ...wanted, version: version + 1, updatedAt: ctx.now().toISOString() })
    .where(eq(announcements.id, id))
    .run()
}

function setTiers({ db }: Context, announcementId: string, tiers: readonly TierSlug[]): void {
  db.delete(announcementTiers).where(eq(announcementTiers.announcementId, announcementId)).run()
  for (const tierSlug of tiers) db.insert(announcementTiers).values({ announcementId, tierSlug }).run()
}

type Versioned = { id: string; version: number }

/** Takes a note off dashboards now. A future one never starts. */
export function endAnnouncement(ctx: Context, owner: Owner, { id, version }: Versioned): AdminAnnouncement {
  return transact(ctx, () => {
    const current = readAnnouncement(ctx, id)
    if (current.state === 'over') return current
    if (version !== current.version) throw versionConflict({ sent: { id, version }, current })
    const now = ctx.billingNow().getTime()
    const begins = Math.min(Date.parse(current.startsAt), now - 1)
    updateAnnouncement(ctx, current, { startsAt: new Date(begins).toISOString(), endsAt: new Date(now).toISOString() })
    audit(ctx, owner.actor, 'announcement.ended', { targetId: id, detail: { title: current.title } })
    return readAnnouncement(ctx, id)
  })
}

export function removeAnnouncement(ctx: Context, owner: Owner, { id, version }: Versioned): Done {
  return transact(ctx, () => {
    const current = readAnnouncement(ctx, id)
    if (version !== current.version) throw versionConflict({ sent: { id, version }, current })
    ctx.db.delete(announcements).where(eq(announcements.id, id)).run()
    audit(ctx, owner.actor, 'announcement.removed', { targetId: id, detail: { title: current.title } })
    return { success: true }
  })
}

function parseAnnouncement(given: unknown): AnnouncementRequest {
  const read = v.safeParse(AnnouncementRequest, given)
  if (read.success) return read.output
  throw refused(messagesByField(read.issues))
}

/** Times with milliseconds, as in the database, and each tier once. */
function toStored(ctx: Context, { title, text, tiers, startsAt, endsAt }: AnnouncementRequest) {
  const [starts, ends] = [startsAt === undefined ? ctx.billingNow() : new Date(startsAt), new Date(endsAt)]
  if (starts >= ends) throw refused({ endsAt: 'The end must come after the start.' })
  return { title, text, tiers: [...new Set(tiers)].sort(), startsAt: starts.toISOString(), endsAt: ends.toISOString() }
}

const refused = (fields: Record<string, string>) => new AppError('invalid', 'Check the marked fields.', { fields })
