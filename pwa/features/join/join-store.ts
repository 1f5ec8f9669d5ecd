import * as v from 'valibot'
import { readDraft, removeDraft, saveDraft } from '#pwa/lib/draft.ts'
import { deviceStorage, type SafeStorage, tabStorage } from '#pwa/lib/storage.ts'
import { MembershipApplicationForm } from '#shared/contract/application.ts'
import { Id, Pence } from '#shared/contract/fields.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { ApplicationDraft, emptyDraft } from './application-draft.ts'

/**
 * What joining keeps on this device, so that a reload or a dead battery loses nothing. Logging out wipes it with
 * everything else in these storages.
 */
const draftName = 'membership-application'
const purchaseKey = 'membership-payment'
/** In this tab only: what was sent, for the way back from payment to step 1. */
const sentFormKey = 'membership-application-sent'

/** In this tab only: the last step, from the moment the provider has the payment until the step is left. */
const doneKey = 'membership-joined'
const KeptDone = v.object({ tierSlug: TierSlug, isActive: v.boolean() })
type KeptDone = v.InferOutput<typeof KeptDone>

/** A choice of tier that is under way: the same tier is sent again under the same key, so it makes one application. */
const Sending = v.object({ slug: TierSlug, key: Id })

/** The application until it is sent. `isReady`: step 1 is done, and only the tier is missing. */
const KeptApplication = v.object({
  draft: ApplicationDraft,
  isReady: v.fallback(v.boolean(), false),
  tier: v.fallback(v.nullable(TierSlug), null),
  sending: v.fallback(v.nullable(Sending), null),
})
export type KeptApplication = v.InferOutput<typeof KeptApplication>

/** What the payment step needs once the application is sent. `tierPrice`: net pence, as it was shown. */
const KeptPurchase = v.object({
  email: v.string(),
  name: v.string(),
  tierSlug: TierSlug,
  tierPrice: Pence,
  applicationId: v.optional(Id),
  keptAt: v.number(),
})
export type Purchase = Omit<v.InferOutput<typeof KeptPurchase>, 'keptAt'>

/** A payment that nobody came back to is forgotten. */
const keptMs = 7 * 24 * 60 * 60 * 1000

export const emptyApplication: KeptApplication = { draft: emptyDraft, isReady: false, tier: null, sending: null }

export const keepApplication = (application: KeptApplication) => saveDraft(draftName, application)
export const forgetApplication = () => removeDraft(draftName)

/** Null where nothing is kept. A form that the contract no longer accepts goes back to step 1. */
export function readApplication(): KeptApplication | null {
  const kept = v.safeParse(KeptApplication, readDraft(draftName))
  if (!kept.success) return null
  const { isReady, draft } = kept.output
  return { ...kept.output, isReady: isReady && v.is(MembershipApplicationForm, draft) }
}

export const keepPurchase = (purchase: Purchase) =>
  write(deviceStorage, purchaseKey, { ...purchase, keptAt: Date.now() })
export const forgetPurchase = () => deviceStorage.removeItem(purchaseKey)

export function readPurchase(): Purchase | null {
  const kept = read(deviceStorage, purchaseKey, KeptPurchase)
  if (!kept) return null
  const { keptAt, ...purchase } = kept
  return Date.now() - keptAt < keptMs ? purchase : null
}

export const keepDone = (done: KeptDone) => write(tabStorage, doneKey, done)
export const readDone = () => read(tabStorage, doneKey, KeptDone)
export const forgetDone = () => tabStorage.removeItem(doneKey)

export const keepSentForm = (form: MembershipApplicationForm) => write(tabStorage, sentFormKey, form)
export const readSentForm = () => read(tabStorage, sentFormKey, MembershipApplicationForm)
export const forgetSentForm = () => tabStorage.removeItem(sentFormKey)

const write = (storage: SafeStorage, key: string, value: object) => storage.setItem(key, JSON.stringify(value))

function read<Schema extends v.GenericSchema>(
  storage: SafeStorage,
  key: string,
  schema: Schema,
): v.InferOutput<Schema> | null {
  try {
    const kept = v.safeParse(schema, JSON.parse(storage.getItem(key) ?? 'null'))
    return kept.success ? kept.output : null
  } catch {
    return null
  }
}
