import { and, desc, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { membershipApplications } from '#api/db/schema/forms.ts'
import { notifyOwners } from '#api/features/inbox/enquiries/mails.ts'
import { isInvitedTo } from '#api/features/invitations/service.ts'
import { defaultTierSlug, priceMeant, tierBySlug, tierToBuy } from '#api/features/tiers/service.ts'
import type { Notice } from '#api/mail/templates/enquiry.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { agreedTerms } from '#api/site/content.ts'
import {
  businessStageLabels,
  type MembershipApplicationRequest,
  MembershipApplicationResponse,
} from '#shared/contract/application.ts'
import { applicationLabels } from '#shared/contract/application-labels.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { answersOf } from '#shared/rules/form-answers.ts'

/** Stores an application. Applying again updates a pending one. Repeating a request with the same key is the same application. */
export function applyForMembership(
  ctx: Context,
  { termsVersion: shown, priceId, ...given }: MembershipApplicationRequest,
  key: string | undefined,
): MembershipApplicationResponse {
  return runOncePerKey(
    ctx,
    { scope: 'membership-application', key, body: given },
    MembershipApplicationResponse,
    () => {
      const form = { ...given, selectedTier: given.selectedTier ?? defaultTierSlug(ctx) }
      assertOffered(ctx, form, priceId)
      const pending = ctx.db
        .select()
        .from(membershipApplications)
        .where(and(eq(membershipApplications.email, form.email), eq(membershipApplications.status, 'pending')))
        .orderBy(desc(membershipApplications.createdAt))
        .get()
      // A new id each time: it proves who sent this one, so someone else who sends the same address must not learn the first one's.
      const id = ctx.newId()
      const termsVersion = agreedTerms(ctx, shown)
      if (pending === undefined) {
        insertRow(ctx, membershipApplications, { ...form, id, termsVersion, createdAt: ctx.now().toISOString() })
        notifyOwners(ctx, noticeOf(ctx, form, id))
      } else {
        ctx.db
          .update(membershipApplications)
          .set({ ...form, id, termsVersion, earlier: withEarlier(pending, form) })
          .where(eq(membershipApplications.id, pending.id))
          .run()
      }
      return { success: true, id, status: 'pending' }
    },
  )
}

type Form = Omit<MembershipApplicationRequest, 'termsVersion' | 'selectedTier' | 'priceId'> & { selectedTier: TierSlug }
function assertOffered(ctx: Context, { selectedTier: slug, email }: Form, priceId: string | undefined): void {
  const isInvited = isInvitedTo(ctx, email, slug)
  priceMeant(ctx, tierToBuy(ctx, 'selectedTier', { slug, priceId }, { isInvited }), priceId)
}

type Stored = typeof membershipApplications.$inferSelect

/** More than anyone needs, and a few hundred kilobytes at most, however often a stranger applies for the same address. */
const earlierAtMost = 20

/**
 * Keeps earlier versions that differ: the first, which is the applicant's own, and the latest. Refusing more instead would let a
 * stranger who knows the address lock the applicant out.
 */
function withEarlier({ earlier, ...before }: Stored, form: Form): Stored['earlier'] {
  const { id: _id, status: _status, ...text } = before
  const { selectedTier: _tier, ...fields } = form
  const isSame = Object.entries(fields).every(([field, value]) => Reflect.get(text, field) === value)
  if (isSame) return earlier
  const [first = text, ...changes] = [...earlier, text]
  return [first, ...changes.slice(1 - earlierAtMost)]
}

function noticeOf(ctx: Context, form: Form, id: string): Notice {
  const name = `${form.firstName} ${form.lastName}`
  return {
    kind: 'membership-application',
    id,
    sender: { name, email: form.email, phone: form.phone },
    receivedAt: ctx.now().toISOString(),
    typed: [
      ['Name', name],
      ['Email', form.email],
      ['Phone', form.phone],
      ...answersOf(applicationLabels, form, { businessStage: businessStageLabels }),
    ],
    facts: [['Tier', tierBySlug(ctx, form.selectedTier)?.name ?? form.selectedTier]],
  }
}
