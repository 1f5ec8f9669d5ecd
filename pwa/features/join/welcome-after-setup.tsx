import type { KeptDelayed } from '#pwa/features/reactivation/kept-delayed.ts'
import { readLinkSearch } from '#pwa/features/reactivation/link-search.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { WelcomeHead } from './welcome-head.tsx'

/** Back from the bank or from PayPal, which said no. */
export const SetupRefused = ({ delayed }: { delayed: KeptDelayed | null }) => (
  <>
    {delayed && !delayed.isDue ? (
      <WelcomeHead title="Setup Failed">Your payment method was not confirmed. Nothing has been taken.</WelcomeHead>
    ) : (
      <WelcomeHead title={delayed ? 'Payment Failed' : 'Payment Setup Failed'}>
        {delayed ? 'Your payment was not confirmed.' : 'Your bank did not confirm the payment.'} Nothing has been taken.
      </WelcomeHead>
    )}
    <p>
      {delayed ? (
        <ButtonLink
          to="/reactivate-delayed"
          search={readLinkSearch(Object.fromEntries(new URLSearchParams(delayed.link)))}
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

/** Set up by a link, which logs nobody in: what holds now, and how to get in. */
export const SetupDone = ({ delayed: { tierName, total, date, isDue, email } }: { delayed: KeptDelayed }) => (
  <>
    <WelcomeHead title={isDue ? 'Your payment went through' : 'Your payment method is saved'}>
      {isDue
        ? `We took ${formatPoundsAndPence(total)} today. Your ${tierName} membership is on.`
        : `Your first payment of ${formatPoundsAndPence(total)} is on ${formatLongDate(date)}. Your ${tierName} membership is on from today.`}
    </WelcomeHead>
    <p>We have e-mailed {email}. Log in with your password, or set one with the link in that mail.</p>
    <p>
      <ButtonLink to="/login" search={{ redirect: '/members' }} icon="arrow">
        Log In
      </ButtonLink>
    </p>
  </>
)
