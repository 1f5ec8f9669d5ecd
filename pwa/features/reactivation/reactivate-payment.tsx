import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PaymentStep } from '#pwa/features/payment/payment-step-section.tsx'
import { StepTitle } from '#pwa/features/payment/step-title-section.tsx'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { withVat } from '#shared/rules/money.ts'
import { BackToPlans } from './back-to-plans.tsx'
import { keepTotal, takeTotal } from './kept-total.ts'

type Props = { user: SessionUser; tier: MembershipTier; onBack: () => void }

/** The first payment of somebody who comes back: the same step as joining's. */
export function ReactivatePayment({ user, tier, onBack }: Props) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [isTaken, setTaken] = useState(false)
  useEffect(() => keepTotal(withVat(tier.price).total), [tier.price])
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return (
    <>
      {!isTaken && <BackToPlans onBack={() => !isBusy && onBack()} />}
      <PaymentStep
        request={{ email: user.email, name, tierSlug: tier.slug, tierPrice: tier.price }}
        plan={tier}
        maxFeatures={4}
        heading={<StepTitle isNext>Reactivate Your Membership</StepTitle>}
        returnTo="/reactivate"
        returnPath="/membership-success"
        onPriceChanged={() => {
          // The old prices must not be there to be chosen again.
          queryClient.resetQueries({ queryKey: tiersQuery.queryKey })
          onBack()
        }}
        onBusy={setBusy}
        onConfirmed={() => {
          setTaken(true)
          takeTotal()
        }}
        onFinished={() => navigate({ to: '/membership-success' })}
      />
    </>
  )
}
