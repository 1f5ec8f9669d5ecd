import type { ReactNode } from 'react'
import type { DelayedSetup } from '#pwa/features/reactivation/reactivation-storage.ts'
import { readLinkSearch } from '#pwa/features/reactivation/search.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export const SetupFailed = ({ setup }: { setup: DelayedSetup | null }) => (
  <>
    {setup && !setup.isDue ? (
      <WelcomeTitle title="Setup Failed">Your payment method wasn’t confirmed. You haven’t been charged.</WelcomeTitle>
    ) : (
      <WelcomeTitle title={setup ? 'Payment Failed' : 'Payment Setup Failed'}>
        {setup ? 'Your payment wasn’t confirmed.' : 'Your bank didn’t confirm the payment.'} You haven’t been charged.
      </WelcomeTitle>
    )}
    <p>
      {setup ? (
        <ButtonLink
          to="/reactivate-delayed"
          search={readLinkSearch(Object.fromEntries(new URLSearchParams(setup.link)))}
          icon="arrow"
        >
          Try again
        </ButtonLink>
      ) : (
        <ButtonLink to="/reactivate" icon="arrow">
          Try again
        </ButtonLink>
      )}
    </p>
  </>
)

/** A link doesn't log anyone in, so this also says how to. */
export const SetupDone = ({ setup: { tierName, total, date, isDue, email } }: { setup: DelayedSetup }) => (
  <>
    <WelcomeTitle title={isDue ? 'Your payment went through' : 'We’ve saved your payment method'}>
      {isDue
        ? `We took ${formatPoundsAndPence(total)} today. Your ${tierName} membership has started.`
        : `Your first payment of ${formatPoundsAndPence(total)} is on ${formatLongDate(date)}. Your ${tierName} membership starts today.`}
    </WelcomeTitle>
    <p>Log in with a code, or with your password. We’ve emailed {email} a link to set one.</p>
    <p>
      <ButtonLink to="/login" search={{ redirect: '/members' }} icon="arrow">
        Log in
      </ButtonLink>
    </p>
  </>
)

export const WelcomeTitle = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="purchase__part">
    <h1 className="purchase__title">{title}</h1>
    <p className="lead">{children}</p>
  </div>
)
