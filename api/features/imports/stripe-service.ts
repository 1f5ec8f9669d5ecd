import { and, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { customers } from '#api/db/schema/customers.ts'
import { importRows } from '#api/db/schema/imports.ts'
import { AppError } from '#api/errors.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { linkSubscription } from '#api/features/reconcile/link-service.ts'
import { undoAdoption } from '#api/features/reconcile/unlink-service.ts'
import { findUserByEmail } from '#api/features/subscriptions/obstacle-queries.ts'
import { findCustomer, findLiveSubscription, findSubscription } from '#api/features/subscriptions/queries.ts'
import { tierNames } from '#api/features/tiers/service.ts'
import { keyedHash } from '#api/secrets.ts'
import type { ImportFact } from '#shared/contract/imports.ts'
import type { AdoptionRefusal } from '#shared/contract/subscription-link.ts'
import { type AdoptionFacts, adoptionNotesOf } from '#shared/rules/adoption.ts'
import { endText, keptText, noteWords, priceText, stayText } from '#shared/rules/adoption-texts.ts'
import type { AppliedRow, ImportKind, ImportTask, PlannedRow } from './kind-rules.ts'
import { withAddress } from './named-rows-queries.ts'
import { openAccount, type StripeRow } from './stripe-account-service.ts'
import {
  addAccount,
  endFreeAccess,
  giveFreeAccess,
  isAccountOf,
  isFreeAccess,
  paysUntil,
  removeMadeAccount,
} from './stripe-people-service.ts'

function planSubscription(ctx: Context, row: StripeRow, task: ImportTask): PlannedRow {
  const { facts, tier, refusal } = row
  const { id, email } = facts
  if (findSubscription(ctx, id) !== undefined) return { outcome: 'existing', key: id, madeId: id }
  const stays = refusal ?? obstacleOf(ctx, facts)
  if (stays !== null || email === null || tier === null || tier === 'none') {
    return planStaying(ctx, { ...row, refusal: stays ?? 'no_tier' }, task)
  }
  return {
    outcome: 'new',
    key: id,
    reason: withAddress(email, adoptionText(facts, tierNames(ctx)(tier), accountText(ctx, email))),
    facts: { ...accountOf(ctx, row), ...notesOf(facts) },
  }
}

/** Each person once, however many subscriptions they have. */
function accountOf(ctx: Context, { facts: { email }, met }: StripeRow): Partial<Record<ImportFact, number>> {
  if (email === null || met.has(email)) return {}
  met.add(email)
  return { [findUserByEmail(ctx, email) === undefined ? 'account-made' : 'account-known']: 1 }
}

const notesOf = (facts: AdoptionFacts): Partial<Record<ImportFact, number>> =>
  Object.fromEntries(adoptionNotesOf(facts).map((note) => [`adopts-${note}`, 1]))

/** Whose it is, by our own rows. */
function obstacleOf(ctx: Context, { customer, email }: AdoptionFacts): AdoptionRefusal | null {
  const { userId, formerUserId, removedAt } = customers
  const place = ctx.db
    .select({ userId, formerUserId, removedAt })
    .from(customers)
    .where(eq(customers.stripeCustomerId, customer))
    .get()
  const account = findUserByEmail(ctx, email ?? '')
  const holder = place?.userId ?? place?.formerUserId
  if (place !== undefined && (place.removedAt !== null || holder !== account?.id)) return 'not_theirs'
  if (account === undefined ? isKnownAddress(ctx, email ?? '') : account.isAdmin) return 'owner'
  if (account === undefined) return null
  const own = findCustomer(ctx, account.id)
  return own !== undefined && findLiveSubscription(ctx, own.id) !== undefined ? 'has_membership' : null
}

/** It goes on at Stripe untouched. Who has paid may have free access until then, on the tier of its price. */
function planStaying(ctx: Context, row: StripeRow & { refusal: AdoptionRefusal }, { options }: ImportTask): PlannedRow {
  const { facts, refusal, tier } = row
  const reason = withAddress(facts.email ?? facts.name, stayText(facts, refusal))
  const counted = { [`stays-${refusal}`]: 1 }
  // Once a person: a second subscription gives nothing more.
  const until = options.freeAccess && !row.met.has(facts.email ?? '') ? paysUntil(ctx, row) : null
  if (until === null) return { outcome: 'refused', reason, facts: counted }
  if (tier === null) {
    const missing = { ...counted, 'tier-missing': 1 }
    return { outcome: 'refused', reason: `${reason} Choose its tier to let them in.`, facts: missing }
  }
  return {
    outcome: 'new',
    key: facts.id,
    reason: `${reason} Free access until ${endText(until)}. ${accountText(ctx, facts.email)}`,
    facts: { ...counted, ...accountOf(ctx, row), 'free-access': 1 },
  }
}

const accountText = (ctx: Context, email: string | null) =>
  findUserByEmail(ctx, email ?? '') === undefined ? 'They get an account.' : 'They have an account here.'

/** “sub_1 (£48.99 a month) becomes Standard. They get an account. You keep £40.82 of £48.99. Past due: …” */
function adoptionText(facts: AdoptionFacts, tier: string, account: string): string {
  const notes = adoptionNotesOf(facts).filter((note) => note !== 'gross')
  const words = notes.map((note) => noteWords[note]).join(', ')
  const program = facts.application === null ? '' : ` Made by ${facts.application}.`
  const kept = keptText(facts)
  return `${facts.id} (${priceText(facts)}) becomes ${tier}. ${account}${kept === null ? '' : ` ${kept}`}${words === '' ? '' : ` ${capital(words)}.`}${program}`
}

const capital = (words: string) => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`

/** Safe to repeat after a crash: what's adopted already is only read again. */
async function applySubscription(ctx: Context, row: StripeRow, task: ImportTask): Promise<AppliedRow> {
  const { facts, tier } = row
  const { id: reference, email } = facts
  assertPlanned(ctx, reference, task)
  const refusal = row.refusal ?? (isOurs(ctx, reference) ? null : obstacleOf(ctx, facts))
  if (refusal !== null) {
    const until = task.options.freeAccess ? paysUntil(ctx, { ...row, refusal }) : null
    if (until !== null) return giveFreeAccess(ctx, { ...row, until }, task)
    throw new AppError('conflict', stayText(facts, refusal))
  }
  if (email === null || tier === null || tier === 'none') return { madeId: null }
  const { actor } = task
  const known = findUserByEmail(ctx, email)
  const userId = known?.id ?? addAccount(ctx, { ...facts, email }, task)
  const isAccountMade = known === undefined || isAccountOf(ctx, userId, task)
  try {
    await linkSubscription(ctx, { actor }, { reference, email, providerEmail: email, tier, isAccountMade })
  } catch (error) {
    if (isAccountMade) removeMadeAccount(ctx, userId)
    throw error
  }
  return { madeId: reference }
}

const isOurs = (ctx: Context, id: string) => findSubscription(ctx, id) !== undefined

/** Lines are places by age. One that the plan hasn't named is left alone, whatever its line. */
function assertPlanned(ctx: Context, key: string, { id: importId }: ImportTask): void {
  const keyHash = keyedHash(ctx, 'import', key)
  const planned = and(eq(importRows.importId, importId), eq(importRows.keyHash, keyHash), eq(importRows.outcome, 'new'))
  if (ctx.db.select({ line: importRows.line }).from(importRows).where(planned).get() !== undefined) return
  throw new AppError('conflict', `${key} isn’t in this plan. Read Stripe again.`)
}

export const stripeKind: ImportKind<StripeRow> = {
  isQuick: false,
  open: openAccount,
  plan: planSubscription,
  apply: applySubscription,
  undo: async (ctx, madeId, { actor }) =>
    isFreeAccess(madeId) ? endFreeAccess(ctx, madeId) : undoAdoption(ctx, { actor }, madeId),
}
