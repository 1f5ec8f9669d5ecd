import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { saveSelectedTier } from '#pwa/features/tiers/selected-tier-storage.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { Invitation } from '#shared/contract/invitation.ts'
import { priceWithId } from '#shared/rules/tier-prices.ts'
import { tierPriceChanged } from '#shared/values/tier-words.ts'
import {
  emptyApplication,
  emptyDraft,
  isEmptyDraft,
  readApplication,
  saveApplication,
  saveInvited,
} from './join-storage.ts'
import { invitationQuery, isOver } from './queries.ts'

/** Opened by an owner's signed link: preselects its tier and fills in the invited person, then starts the join. */
export default function Invited({ link }: { link: string }) {
  const toast = useToast()
  const navigate = useNavigate()
  const { data, error, isFetching, refetch } = useQuery(invitationQuery(link))
  const begin = useEffectEvent((invitation: Invitation) => {
    const { freeMonths, priceId, tier: invitedTo } = invitation
    const price = priceWithId(invitedTo, priceId ?? undefined)
    saveSelectedTier(invitedTo, price)
    saveInvited({ link, tier: invitedTo })
    fillIn(invitation)
    const free = freeMonths > 0 && ` Your first ${freeMonths === 1 ? 'month is' : `${freeMonths} months are`} free.`
    const isStopped = priceId !== null && price === undefined
    const picked = isStopped ? tierPriceChanged : 'We’ve picked it for you.'
    toast({ title: `You’re invited to ${invitedTo.name}`, description: `${picked}${free || ''}` })
    navigate({ to: '/membership-application', search: {}, replace: true }).catch(reportError)
  })
  useEffect(() => {
    if (data) begin(data)
  }, [data])
  if (!error) return <Skeleton size="block" />
  const hasRunOut = isOver(error) && error.code === 'invalid_link'
  return (
    <EmptyState
      level={2}
      title={hasRunOut ? 'This invitation has run out' : 'We couldn’t open your invitation'}
      action={
        isOver(error) ? (
          <ButtonLink to="/membership-application" search={{}} icon="arrow">
            Join without an invitation
          </ButtonLink>
        ) : (
          <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
            Try again
          </Button>
        )
      }
    >
      {hasRunOut
        ? 'The link’s too old, or part of it is missing. Ask us for a new one, or join without.'
        : messageOf(error, 'We couldn’t reach the site. Try again in a minute.')}
    </EmptyState>
  )
}

/** Keeps what has been typed. */
function fillIn({ email, firstName, lastName }: Invitation) {
  const stored = readApplication()
  if (stored && !isEmptyDraft(stored.draft)) return
  saveApplication({ ...emptyApplication, draft: { ...emptyDraft, email, firstName, lastName } })
}
