import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PaymentStep } from '#pwa/features/payment/payment-step-section.tsx'
import { StepTitle } from '#pwa/features/payment/step-title-section.tsx'
import { tiersQuery } from '#pwa/features/tiers/queries.ts'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { BackToApplication } from './back-to-application.tsx'
import type { Purchase } from './join-store.ts'
import type { Join } from './use-join.ts'

type Props = {
  join: Join
  purchase: Purchase
  /** What the bank's page said before this one. */
  failure: string | null
}

/** Step 3: the first payment. */
export function JoinPayment({ join, purchase, failure }: Props) {
  const { tiers } = useTiers()
  const queryClient = useQueryClient()
  const [isTaken, setTaken] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const tier = tiers.find(({ slug }) => slug === purchase.tierSlug)
  const heading = (
    <div className="join__head">
      <StepTitle isNext={join.hasMoved}>Payment</StepTitle>
    </div>
  )
  return (
    <>
      {!isTaken && <BackToApplication onBack={() => !isBusy && join.edit()} />}
      <PaymentStep
        request={purchase}
        plan={{ name: tier?.name ?? 'Membership', features: tier?.features ?? [] }}
        heading={heading}
        returnTo="/membership-application"
        initialRejection={failure === null ? null : { message: failure, isDeclined: false }}
        onPriceChanged={() => {
          // The old prices must not be there to be chosen again.
          queryClient.resetQueries({ queryKey: tiersQuery.queryKey })
          join.chooseAgain()
        }}
        onBusy={setBusy}
        onConfirmed={() => {
          setTaken(true)
          join.forget()
        }}
        onFinished={({ isActive }) => join.finish(isActive)}
      />
    </>
  )
}
