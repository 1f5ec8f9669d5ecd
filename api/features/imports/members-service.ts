import { and, eq, exists, isNotNull, ne, or } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { inboxNotes } from '#api/db/schema/forms.ts'
import { importRows } from '#api/db/schema/imports.ts'
import { users } from '#api/db/schema/people.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { setOverride } from '#api/features/members/access-service.ts'
import { allTiers } from '#api/features/tiers/service.ts'
import { tickAsImported } from '#api/features/videos/progress/service.ts'
import type { ImportPlan } from '#shared/contract/imports.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { addDays, londonDay, londonInstant } from '#shared/rules/london.ts'
import { tierNamedIn } from '#shared/rules/tier-guess.ts'
import { openImportFile } from './files-service.ts'
import type {
  AppliedRow,
  FirstLine,
  ImportConsent,
  ImportKind,
  ImportTask,
  OpenedFile,
  PlannedDouble,
  PlannedRow,
  ReadRow,
} from './kind-rules.ts'
import type { MemberRow, MembersOptions, UnreadDay } from './members-file-service.ts'
import {
  accountByEmail,
  agreesToMail,
  applyExisting,
  blockAddress,
  chooseMails,
  eraseKeepingBlock,
  planExisting,
  refusalReason,
  withdrawMails,
} from './members-mail-service.ts'

/** `tier`: what their plan is here; null if the file doesn't say. */
type TieredRow = MemberRow & { tier: TierSlug | null }

async function openMembersFile(ctx: Context, { file, options }: ImportTask): Promise<OpenedFile<TieredRow>> {
  const given: MembersOptions = { options, videos: videoIdsByName(ctx) }
  const opened = await openImportFile<MemberRow>(file, { as: 'members', what: 'line', options: given })
  const tiers = allTiers(ctx)
  const tierOf = (plan: string): Pick<ImportPlan, 'tier' | 'guess'> => {
    const chosen = options.tiers[plan]
    if (chosen !== undefined) return { tier: chosen }
    const guessed = tierNamedIn(plan, tiers)
    return guessed === null ? { tier: null } : { tier: guessed, guess: 'name' }
  }
  const columns = opened.columns.map(({ plans, ...column }) =>
    plans === undefined ? column : { ...column, plans: plans.map((plan) => ({ ...plan, ...tierOf(plan.name) })) },
  )
  const known = new Set(columns.flatMap((column) => ('plans' in column ? column.plans.map(({ name }) => name) : [])))
  const unknown = Object.keys(options.tiers).find((name) => !known.has(name))
  const problem = opened.problem ?? (unknown === undefined ? null : `There’s no plan called “${unknown}” in this file.`)
  return { ...opened, columns, problem, rows: withTiers(opened.rows, tierOf) }
}

/** Who pays for something that isn't a membership gets no access by it. */
async function* withTiers(
  rows: AsyncIterable<ReadRow<MemberRow>>,
  tierOf: (plan: string) => Pick<ImportPlan, 'tier'>,
): AsyncGenerator<ReadRow<TieredRow>> {
  const known = new Map<string, string | null>()
  for await (const read of rows) {
    if ('refused' in read) {
      yield read
      continue
    }
    const { plan } = read.row
    if (!known.has(plan)) known.set(plan, plan === '' ? null : tierOf(plan).tier)
    const tier = known.get(plan) ?? null
    const row =
      tier === 'none'
        ? { ...read.row, tier: null, paidUntil: null, isComplimentary: false, unreadDay: null }
        : { ...read.row, tier }
    yield { line: read.line, row }
  }
}

function videoIdsByName({ db }: Context): Map<string, string> {
  const { id, slug, title } = memberVideos
  const known = new Map<string, string>()
  for (const video of db.select({ id, slug, title }).from(memberVideos).all())
    for (const name of [video.id, video.slug, video.title]) known.set(foldText(name), video.id)
  return known
}

function planMember(ctx: Context, row: TieredRow): PlannedRow {
  const key = row.email
  const known = accountByEmail.get(ctx, { email: row.email })
  const cards = { 'cards-dropped': row.cards }
  if (known !== undefined) return planExisting(ctx, row, known)
  if (isKnownAddress(ctx, row.email)) return { outcome: 'refused', reason: 'This is an owner’s address.', facts: cards }
  const [isAgreed, isPaid] = [agreesToMail(ctx, row), paysStill(ctx, row)]
  const { unreadDay, unreadJoined, isComplimentary } = row
  const reasons = [
    ...(unreadDay === null || isComplimentary ? [] : [unreadReason(unreadDay, 'they get no access')]),
    ...(unreadJoined === null ? [] : [unreadReason(unreadJoined, 'they count as joining today')]),
    ...(row.isSubscribed && row.block === null ? refusalReason(ctx, row.email) : []),
    ...(row.shortenedPhone === null ? [] : [shortenedReason(row.shortenedPhone)]),
  ]
  const isMonthFirst = unreadDay?.isMonthFirst === true
  return {
    outcome: 'new',
    key,
    consent: consentOf(row, isAgreed),
    ...(reasons.length === 0 ? {} : { reason: reasons.join(' ') }),
    facts: {
      ...cards,
      blocked: Number(row.block !== null),
      subscribed: Number(isAgreed),
      'not-subscribed': Number(!isAgreed && row.block === null),
      'free-access': Number(isPaid && !isComplimentary),
      complimentary: Number(isComplimentary),
      expired: Number(row.paidUntil !== null && !isPaid),
      'days-month-first': Number(isMonthFirst),
      'days-unread': Number(unreadDay !== null && !isMonthFirst),
      'no-access': Number(!getsIn(ctx, row)),
      'lessons-ticked': row.videoIds.length,
      'lessons-unknown': row.unknownVideos,
      notes: Number(row.note !== ''),
    },
  }
}

const consentOf = ({ saysNo, block }: MemberRow, isAgreed: boolean): ImportConsent | undefined =>
  saysNo || block !== null ? 'no' : isAgreed ? 'yes' : undefined

/** A no on any line counts for more than a yes on another. */
function planDouble({ saysNo, block, isSubscribed }: MemberRow, { line, consent }: FirstLine): PlannedDouble {
  const same = `The same address as line ${line}.`
  if (!saysNo && block === null) {
    if (!isSubscribed || consent === undefined || consent === 'yes') return { reason: same }
    const where = consent === 'no' ? 'That line says no to emails' : 'Another line says no to emails'
    return { reason: `${same} ${where}, so they get no campaigns.` }
  }
  if (consent !== 'yes') return { reason: same, consent: consent ?? 'withdrawn' }
  const becomes = block === null ? 'not-subscribed' : 'blocked'
  const facts = { subscribed: -1, [becomes]: 1 }
  return { reason: `${same} This line says no to emails, so they get no campaigns.`, consent: 'withdrawn', facts }
}

const paysStill = (ctx: Context, { paidUntil }: MemberRow) =>
  paidUntil !== null && paidUntil >= londonDay(ctx.billingNow())

const getsIn = (ctx: Context, row: MemberRow) => row.isComplimentary || paysStill(ctx, row)

const unreadReason = ({ column, isMonthFirst }: UnreadDay, what: string) =>
  isMonthFirst
    ? `“${column}” has days with the month first, so ${what}. Write the whole column as 31/12/2026.`
    : `We can’t read the day in “${column}”, so ${what}. Write it as 31/12/2026.`

const shortenedReason = (phone: string) =>
  `A spreadsheet has shortened their phone number to ${phone}, so it’s left out. Format its column as text there, and save it again.`

function applyMember(ctx: Context, row: TieredRow, task: ImportTask): AppliedRow {
  // Someone else may have made the account since the plan.
  if (isKnownAddress(ctx, row.email)) {
    applyExisting(ctx, row, task)
    return { madeId: null, reason: 'They’d joined by then, so we left their account alone.' }
  }
  blockAddress(ctx, row, task)
  const id = ctx.newId()
  const now = ctx.now().toISOString()
  const { email, firstName, lastName, phone, businessName, trade } = row
  insertRow(ctx, users, {
    id,
    email,
    firstName: firstName || null,
    lastName: lastName || null,
    phone,
    businessName,
    trade,
    createdAt: joinedAt(ctx, row) ?? now,
    updatedAt: now,
  })
  if (getsIn(ctx, row))
    setOverride(ctx, id, { override: 'granted', until: endOf(row), tier: row.tier ?? task.options.tier })
  chooseMails(ctx, id, row, task)
  tickAsImported(ctx, id, row.videoIds)
  if (row.note !== '') {
    const note = { about: 'members', aboutId: id, kind: 'note', text: row.note, createdAt: now } as const
    insertRow(ctx, inboxNotes, { id: ctx.newId(), ...note })
  }
  return { madeId: id }
}

function joinedAt(ctx: Context, { joined }: MemberRow): string | null {
  const at = joined === null ? null : londonInstant(joined, '12:00').toISOString()
  return at !== null && at < ctx.now().toISOString() ? at : null
}

/** Null: no end, as where they come from. */
const endOf = ({ paidUntil, isComplimentary }: MemberRow) =>
  paidUntil === null || isComplimentary ? null : londonInstant(addDays(paidUntil, 1), '00:00').toISOString()

/** Some exports have a row for each plan of a person. Their access ends with the last. */
function applyDouble(ctx: Context, row: TieredRow, task: ImportTask): void {
  const { id: importId, options } = task
  const isWithdrawn = row.saysNo || row.block !== null
  if (!getsIn(ctx, row) && !isWithdrawn) return
  const until = endOf(row)
  const { madeId } = importRows
  const found = ctx.db
    .select({ id: users.id, until: users.accessUntil, override: users.accessOverride })
    .from(users)
    .innerJoin(importRows, eq(madeId, users.id))
    .where(and(eq(users.email, row.email), eq(importRows.importId, importId), eq(importRows.outcome, 'new')))
    .get()
  if (found === undefined) {
    applyExisting(ctx, row, task)
    return
  }
  blockAddress(ctx, row, task)
  if (isWithdrawn) withdrawMails(ctx, found.id, row)
  if (!getsIn(ctx, row) || (found.until === null && found.override === 'granted')) return
  if (until !== null && found.until !== null && found.until >= until) return
  setOverride(ctx, found.id, { override: 'granted', until, tier: row.tier ?? options.tier })
}

/** Until the person has logged in or paid, or an owner has done something about them. */
function undoMember(ctx: Context, madeId: string): 'undone' | 'used' {
  const { lastSeenAt, emailProvenAt, passwordHash } = users
  const hasCustomer = exists(ctx.db.select({ id: customers.id }).from(customers).where(eq(customers.userId, users.id)))
  const isHandled = exists(
    ctx.db
      .select({ id: auditEntries.id })
      .from(auditEntries)
      .where(and(eq(auditEntries.targetId, users.id), ne(auditEntries.actor, 'system'))),
  )
  const isUsed = or(
    isNotNull(lastSeenAt),
    isNotNull(emailProvenAt),
    isNotNull(passwordHash),
    eq(users.isAdmin, true),
    hasCustomer,
    isHandled,
  )
  const account = { id: users.id, email: users.email }
  const found = ctx.db.select(account).from(users).where(eq(users.id, madeId)).get()
  if (found === undefined) return 'undone'
  const used = ctx.db
    .select(account)
    .from(users)
    .where(and(eq(users.id, madeId), isUsed))
    .get()
  if (used !== undefined) return 'used'
  eraseKeepingBlock(ctx, found)
  return 'undone'
}

export const membersKind: ImportKind<TieredRow> = {
  isQuick: true,
  open: openMembersFile,
  plan: planMember,
  planDouble,
  apply: applyMember,
  applyDouble,
  applyExisting,
  undo: undoMember,
}
