import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { loadOwnApi } from '#pwa/features/payment/queries.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { LoginResponse } from '#shared/contract/auth.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { isLive } from '#shared/rules/membership.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { draftOf, isEmptyDraft, readApplication } from './join-storage.ts'
import type { KnownPerson } from './known-person.tsx'
import { type CurrentBuyer, currentBuyerQuery } from './queries.ts'
import type { Join } from './use-join.ts'

/**
 * If this device has nothing stored, the server may know where joining stopped: resumes a payment in progress, and prefills the
 * application of someone who's logged in. Keeps anything typed in the meantime. An application that waited for a login resumes at
 * the tiers.
 */
export function useResume(join: Join, link: ReturnType<typeof useContinueLink>): KnownPerson | null {
  const isUntouched = join.state.step === 'application' && isEmptyDraft(join.state.draft)
  const [wasUntouched] = useState(isUntouched)
  const [awaitsLogin] = useState(() => readApplication()?.awaitsLogin ?? false)
  const query = currentBuyerQuery({ isLikely: link.isUsed })
  const { data: buyer } = useQuery({ ...query, enabled: (wasUntouched || awaitsLogin) && !link.isPending })
  const known = buyer ? knownPersonOf(buyer.subscription) : null
  const resume = useEffectEvent(({ user, subscription: { status, plan } }: CurrentBuyer) => {
    if (awaitsLogin && (status === 'incomplete' || !isLive(status))) return join.submitDraft()
    if (!isUntouched || known) return
    if (status !== 'incomplete' || !plan) return join.prefill(draftOf(user))
    const name = nameOrEmail(user)
    join.resumePayment({ email: user.email, name, tierSlug: plan.slug, tierPrice: plan.net })
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

/** Redeems the emailed link that opened the page, if one did. */
export function useContinueLink(token: string | undefined) {
  const toast = useToast()
  const navigate = useNavigate()
  const { isPending, error, isSuccess } = useQuery(continueLinkQuery(token))
  const isOver = isSuccess || (error instanceof RequestError && error.code === 'invalid_token')
  useEffect(() => {
    if (isOver) navigate({ to: '/membership-application', search: {}, state: true, replace: true })
  }, [isOver, navigate])
  const showError = useEffectEvent((text: string | undefined) => {
    toast({
      title: 'Error',
      description: text ?? 'That link doesn’t work any more. Carry on below.',
      tone: 'bad',
    })
  })
  useEffect(() => {
    if (error) showError('text' in error ? String(error.text) : undefined)
  }, [error])
  return { isUsed: token !== undefined && !error, isPending: token !== undefined && isPending }
}

const continueLinkQuery = (token: string | undefined) =>
  queryOptions({
    queryKey: ['continue-joining', token],
    queryFn: async ({ client }) => {
      const { api } = await loadOwnApi(client)
      return parseResponse(LoginResponse, api.api.auth.continue.post({ token: token ?? '' }))
    },
    enabled: token !== undefined,
  })
