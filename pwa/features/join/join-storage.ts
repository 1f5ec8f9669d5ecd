import * as v from 'valibot'
import { readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'
import { deviceStorage, type SafeStorage, tabStorage } from '#pwa/lib/storage.ts'
import { MembershipApplicationForm } from '#shared/contract/application.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import { Id, Pence } from '#shared/contract/fields.ts'
import { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { dayMs } from '#shared/rules/durations.ts'

// What joining stores on this device, so that a reload or an empty battery loses nothing. A logout wipes all of it.

const text = v.fallback(v.string(), '')

/** What's typed into the application so far, valid or not. */
const ApplicationDraft = v.object({
  ...v.entriesFromList(v.keyof(MembershipApplicationForm).options, text),
  agreeTerms: v.fallback(v.boolean(), false),
})
export type ApplicationDraft = v.InferOutput<typeof ApplicationDraft>

export const emptyDraft: ApplicationDraft = v.parse(ApplicationDraft, {})

export const isEmptyDraft = (draft: ApplicationDraft) =>
  Object.values(draft).every((value) => value === '' || value === false)

export const draftOf = (user: SessionUser): ApplicationDraft => ({
  ...emptyDraft,
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  email: user.email,
  phone: user.phone ?? '',
  businessName: user.businessName ?? '',
  trade: user.trade ?? '',
})

/** A request in progress: the same tier reuses the idempotency key, so a retry makes one application. */
const Sending = v.object({ slug: TierSlug, priceId: v.optional(Id), key: Id })

/**
 * The application until it's sent. `isReady`: step 1 is done, and only the tier is missing. `awaitsLogin`: the same, but its
 * address has an account, which has to log in first.
 */
const StoredApplication = v.object({
  draft: ApplicationDraft,
  isReady: v.fallback(v.boolean(), false),
  awaitsLogin: v.fallback(v.boolean(), false),
  tier: v.fallback(v.nullable(TierSlug), null),
  /** Which of its prices, where that isn’t the month’s. */
  priceId: v.fallback(v.optional(Id), undefined),
  sending: v.fallback(v.nullable(Sending), null),
})
type StoredApplication = v.InferOutput<typeof StoredApplication>

const draftName = 'membership-application'

export const emptyApplication: StoredApplication = {
  draft: emptyDraft,
  isReady: false,
  awaitsLogin: false,
  tier: null,
  sending: null,
}

export const saveApplication = (application: StoredApplication) => saveDraft(draftName, application)
export const clearApplication = () => removeDraft(draftName)

/** A form the contract no longer accepts goes back to step 1. */
export function readApplication(): StoredApplication | null {
  const stored = v.safeParse(StoredApplication, readDraft(draftName))
  if (!stored.success) return null
  const { isReady, draft } = stored.output
  return { ...stored.output, isReady: isReady && v.is(MembershipApplicationForm, draft) }
}

/** What the payment step needs once the application is sent. `tierPrice`: net pence, as shown. Without `priceId`, the month’s. */
const StoredPurchase = v.object({
  email: v.string(),
  name: v.string(),
  tierSlug: TierSlug,
  tierPrice: Pence,
  priceId: v.optional(Id),
  applicationId: v.optional(Id),
  keptAt: v.number(),
})
export type Purchase = Omit<v.InferOutput<typeof StoredPurchase>, 'keptAt'>

const purchaseKey = 'membership-payment'

/** We ignore a purchase that hasn't continued for this long. */
const purchaseLifetimeMs = 7 * dayMs

export const savePurchase = (purchase: Purchase) =>
  writeJson(deviceStorage, purchaseKey, { ...purchase, keptAt: Date.now() })
export const clearPurchase = () => deviceStorage.removeItem(purchaseKey)

export function readPurchase(): Purchase | null {
  const stored = read(deviceStorage, purchaseKey, StoredPurchase)
  if (!stored) return null
  const { keptAt, ...purchase } = stored
  return Date.now() - keptAt < purchaseLifetimeMs ? purchase : null
}

/** In this tab only: the sent form, for the way back from the payment to step 1. */
const sentFormKey = 'membership-application-sent'

export const saveSentForm = (form: MembershipApplicationForm) => writeJson(tabStorage, sentFormKey, form)
export const readSentForm = () => read(tabStorage, sentFormKey, MembershipApplicationForm)
export const clearSentForm = () => tabStorage.removeItem(sentFormKey)

/** An invitation’s link, and its tier as it was when the link was opened: it may not be among the cards. */
const Invited = v.object({ link: v.string(), tier: MembershipTier })

const invitedKey = 'membership-invited'

export const saveInvited = (invited: v.InferOutput<typeof Invited>) => writeJson(deviceStorage, invitedKey, invited)
export const readInvited = () => read(deviceStorage, invitedKey, Invited)

/** In this tab only: the last step, from when Stripe has the payment until the person leaves the step. */
const JoinResult = v.object({ tierSlug: v.nullable(TierSlug), isActive: v.boolean() })

const resultKey = 'membership-joined'

export const saveJoinResult = (result: v.InferOutput<typeof JoinResult>) => writeJson(tabStorage, resultKey, result)
export const readJoinResult = () => read(tabStorage, resultKey, JoinResult)
export const clearJoinResult = () => tabStorage.removeItem(resultKey)

const writeJson = (storage: SafeStorage, key: string, value: object) => storage.setItem(key, JSON.stringify(value))

function read<Schema extends v.GenericSchema>(
  storage: SafeStorage,
  key: string,
  schema: Schema,
): v.InferOutput<Schema> | null {
  try {
    const stored = v.safeParse(schema, JSON.parse(storage.getItem(key) ?? 'null'))
    return stored.success ? stored.output : null
  } catch {
    return null
  }
}
