import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type CurrentBuyer, currentBuyerQuery } from '#pwa/features/payment/buyer-queries.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { isLive } from '#shared/rules/membership.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { draftOf, isEmptyDraft, readApplication } from './join-storage.ts'
import type { KnownPerson } from './known-person.tsx'
import type { Join } from './use-join.ts'

/** The emailed link that opened the page: not pressed yet, used, or of no use. */
export type MailedLink = 'waiting' | 'used' | 'dead'

/**
 * If this device has nothing stored, the server may know where joining stopped: resumes a payment in progress, and prefills the
 * application of someone who's logged in. Keeps anything typed in the meantime. An application that waited for a login resumes at
 * the tiers.
 */
export function useResume(join: Join, link: MailedLink): KnownPerson | null {
  const isUntouched = join.state.step === 'application' && isEmptyDraft(join.state.draft)
  const [wasUntouched] = useState(isUntouched)
  const [awaitsLogin] = useState(() => readApplication()?.awaitsLogin ?? false)
  const query = currentBuyerQuery({ isLikely: link === 'used' })
  const { data: buyer } = useQuery({ ...query, enabled: (wasUntouched || awaitsLogin) && link !== 'waiting' })
  const known = buyer ? knownPersonOf(buyer.subscription) : null
  const resume = useEffectEvent(({ user, subscription: { status, plan } }: CurrentBuyer) => {
    if (awaitsLogin && (status === 'incomplete' || !isLive(status))) return join.submitDraft()
    if (!isUntouched || known) return
    if (status !== 'incomplete' || !plan) return join.prefill(draftOf(user))
    const name = nameOrEmail(user)
    join.resumePayment({ email: user.email, name, tierSlug: plan.slug, tierPrice: plan.net, priceId: plan.priceId })
  })
  useEffect(() => {
    if (buyer) resume(buyer)
  }, [buyer])
  return join.state.step === 'application' ? known : null
}

function knownPersonOf({ status, hasBeenMember, isRevoked, isOwner }: BillingSubscription): KnownPerson | null {
  if (isRevoked) return 'revoked'
  if (isOwner) return 'owner'
  if (isLive(status)) return status === 'incomplete' ? null : 'member'
  return hasBeenMember ? 'former-member' : null
}
