import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import * as v from 'valibot'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { ReadOnlyBanner } from '#pwa/features/billing/billing.tsx'
import { openPaidNotice } from '#pwa/features/billing/paid/paid-notice-storage.ts'
import { UntilWeak } from '#pwa/features/chrome/until-weak.tsx'
import { useFieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { type CurrentBuyer, currentBuyerQuery, isLoggedOut } from '#pwa/features/payment/buyer-queries.ts'
import { LoadFailedPage } from '#pwa/features/payment/load-failed.tsx'
import { PaymentStep } from '#pwa/features/payment/payment-step.tsx'
import { BackButton, StepTitle } from '#pwa/features/payment/step-title.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { BillingSubscription, Plan } from '#shared/contract/billing.ts'
import { messagesByField, RequiredLine } from '#shared/contract/fields.ts'
import type { MembershipTier, OfferedPrice } from '#shared/contract/tier.ts'
import { fullName } from '#shared/rules/person-name.ts'
import { stateLine } from '#shared/rules/state-line.ts'
import { chosenOf, chosenPrice, everyOfPeriod } from '#shared/rules/tier-prices.ts'
import { ExistingMembership } from './existing-membership.tsx'
import { savePaymentTotal, takePaymentTotal } from './reactivation-storage.ts'
import { TierChoice } from './tier-choice.tsx'
import '#pwa/features/payment/purchase.css'
import './reactivation.css'

const NameOfBuyer = v.object({ name: RequiredLine('Name') })

/** For an account without a name, which invoices need; it's stored with the payment. */
function NameForm({ onName }: { onName: (name: string) => void }) {
  const { errors, showErrors, clearError } = useFieldErrors()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = v.safeParse(NameOfBuyer, Object.fromEntries(new FormData(event.currentTarget)))
    if (read.success) onName(read.output.name)
    else showErrors(event.currentTarget, messagesByField(read.issues))
  }
  return (
    <form className="purchase__part reac__name" aria-label="The name on your invoices" noValidate onSubmit={submit}>
      <p>We need a name for your invoices.</p>
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        error={errors.name}
        onInput={() => clearError('name')}
      />
      <div>
        <Button type="submit" icon="arrow">
          Continue
        </Button>
      </div>
    </form>
  )
}

export function ReactivatePage() {
  const { data: buyer, error, isPending, isFetching, refetch } = useQuery(currentBuyerQuery({ isLikely: true }))
  if (isPending) {
    return (
      <div className="wrap purchase reac">
        <UntilWeak skeleton={<LoadingSkeleton />} />
      </div>
    )
  }
  if (buyer) return <WelcomeBack buyer={buyer} />
  if (error && !isLoggedOut(error)) {
    return (
      <LoadFailedPage
        error={error}
        isFetching={isFetching}
        title="We couldn’t load your membership"
        onRetry={() => refetch()}
      >
        You haven’t been charged.
      </LoadFailedPage>
    )
  }
  return (
    <AuthPage title="Please Log In" lead="You need to be logged in to reactivate your membership.">
      <ButtonLink to="/login" search={{ redirect: '/reactivate' }} icon="arrow">
        Log In
      </ButtonLink>
    </AuthPage>
  )
}

const LoadingSkeleton = () => (
  <div className="stack" role="status" aria-label="Loading your membership">
    <Skeleton size="title" />
    <Skeleton size="block" />
  </div>
)

/** Of a payment that was begun, all that's known is its plan. */
type Choice = {
  tier: Pick<MembershipTier, 'slug' | 'name' | 'features'>
  price: Omit<OfferedPrice, 'id'> & { id?: string | undefined }
}

function WelcomeBack({ buyer: loaded }: { buyer: CurrentBuyer }) {
  // An action on this page changes the subscription that was loaded with it.
  const [changed, setChanged] = useState<BillingSubscription | null>(null)
  const [name, setName] = useState<string | null>(null)
  const buyer = {
    ...loaded,
    user: { ...loaded.user, ...(name && { firstName: name }) },
    subscription: changed ?? loaded.subscription,
  }
  const [paying, setPaying] = useState<Choice | null>(null)
  const [lastChosen, setLastChosen] = useState<Choice | null>(null)
  const pay = (tier: Choice['tier'], price: Choice['price']) => {
    setPaying({ tier, price })
    setLastChosen({ tier, price })
  }
  if (paying) {
    return (
      <div className="wrap purchase reac">
        <ReactivationPayment buyer={buyer} {...paying} onBack={() => setPaying(null)} />
      </div>
    )
  }
  return (
    <div className="wrap purchase reac">
      <div>
        <TextLink isTap className="purchase__back" to="/members">
          <span>
            <Icon name="back" />
            Back to the members’ area
          </span>
        </TextLink>
      </div>
      <StepTitle isNext={lastChosen !== null || (changed !== null && canBuy(changed))}>Welcome Back!</StepTitle>
      <Offer buyer={buyer} lastChosen={lastChosen} onChange={setChanged} onPay={pay} onName={setName} />
    </div>
  )
}

/** Whether they can buy a new membership. If not, they have an existing one to deal with first, or don't need one. */
const canBuy = ({ offer, isRevoked, isOwner }: BillingSubscription) =>
  !isRevoked && !isOwner && (offer === 'subscribe' || offer === 'pay_or_change_tier')

type OfferProps = {
  buyer: CurrentBuyer
  lastChosen: Choice | null
  onChange: (billing: BillingSubscription) => void
  onPay: (tier: Choice['tier'], price: Choice['price']) => void
  onName: (name: string) => void
}

function Offer({ buyer, lastChosen, onChange, onPay, onName }: OfferProps) {
  const { user, subscription } = buyer
  if (!canBuy(subscription)) return <ExistingMembership buyer={buyer} onChange={onChange} />
  const { plan } = subscription
  const pending = subscription.status === 'incomplete' && plan ? plan : undefined
  return (
    <>
      <div>
        <p className="lead">{stateLine(subscription)}</p>
        <p className="second">{subscription.label}</p>
      </div>
      {user.isImpersonating ? (
        <ReadOnlyBanner />
      ) : user.firstName ? (
        <>
          {pending && <PendingPayment pending={pending} onPay={onPay} />}
          <TierChoice
            chosen={lastChosen ? chosenOf(lastChosen.tier, lastChosen.price) : pending}
            verb={subscription.hasBeenMember ? 'Reactivate' : 'Join'}
            onChoose={onPay}
          />
        </>
      ) : (
        <NameForm onName={onName} />
      )}
    </>
  )
}

/** They started a first payment before; paying for the same tier continues it, though it may not be sold any more. */
function PendingPayment({ pending, onPay }: { pending: Plan; onPay: OfferProps['onPay'] }) {
  const { tiers, isLoading } = useTiers()
  const listed = tiers.find(({ slug }) => slug === pending.slug)
  const tier = listed ?? { ...pending, features: [] }
  const price = (listed && chosenPrice(listed, pending)) ?? priceOfPlan(pending)
  return (
    !isLoading &&
    price && (
      <div>
        <Button icon="arrow" onClick={() => onPay(tier, price)}>
          Finish paying for {tier.name}
        </Button>
      </div>
    )
  )
}

function priceOfPlan({ priceId, net, vat, total, ...period }: Plan): Choice['price'] | undefined {
  const every = everyOfPeriod(period)
  return every && { id: priceId, every, net, vat, total }
}

type PaymentProps = Choice & { buyer: CurrentBuyer; onBack: () => void }

function ReactivationPayment({ buyer: { user, subscription }, tier, price, onBack }: PaymentProps) {
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [isConfirmed, setConfirmed] = useState(false)
  useEffect(() => savePaymentTotal(price.total), [price.total])
  const name = fullName(user)
  return (
    <>
      {!isConfirmed && <BackButton onBack={() => !isBusy && onBack()}>Back to Plan Selection</BackButton>}
      <PaymentStep
        request={{ email: user.email, name, tierSlug: tier.slug, priceId: price.id, tierPrice: price.net }}
        every={price.every}
        plan={tier}
        maxFeatures={4}
        heading={
          <StepTitle isNext>
            {subscription.hasBeenMember ? 'Reactivate Your Membership' : 'Start Your Membership'}
          </StepTitle>
        }
        returnTo="/reactivate"
        returnPath="/membership-success"
        onPriceChanged={onBack}
        onBusy={setBusy}
        onConfirmed={() => {
          setConfirmed(true)
          takePaymentTotal()
          openPaidNotice()
        }}
        onFinished={() => navigate({ to: '/membership-success' })}
      />
    </>
  )
}
