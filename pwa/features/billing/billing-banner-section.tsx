import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'

/** Shown in the members' area when the member has to do something about billing. */
export function BillingBanner({ billing }: { billing: BillingSubscription }) {
  const texts = bannerTexts(billing)
  if (texts === null) return null
  return (
    <section aria-label="Billing needs you">
      <Banner
        tone="bad"
        title={texts.title}
        action={
          <ButtonLink isSmall to="/reactivate" icon="arrow">
            {texts.action}
          </ButtonLink>
        }
      >
        {texts.text}
      </Banner>
    </section>
  )
}

type BannerTexts = { title: string; text: string; action: string }

/** Null where the member has nothing to do. */
export function bannerTexts(billing: BillingSubscription): BannerTexts | null {
  if (!billing.showsBanner) return null
  if (billing.isRevoked) return revoked
  if (billing.isComplimentary) return complimentary
  switch (billing.status) {
    case 'past_due':
      return pastDue(billing)
    case 'unpaid':
      return {
        title: 'Your payments have stopped',
        text: 'Pay the newest invoice and your access is back, or end this membership and start a new one.',
        action: 'Put it right',
      }
    case 'incomplete':
      return {
        title: 'Your first payment is not finished',
        text: 'Finish it, or choose another tier.',
        action: 'Finish it',
      }
    case 'canceled':
    case 'incomplete_expired':
      return {
        title: 'No Active Subscription',
        text: 'Your membership has ended. Start it again and your progress is where you left it.',
        action: 'Reactivate',
      }
    default:
      return {
        title: 'No Active Subscription',
        text: 'A membership opens the videos and the community.',
        action: 'Choose a tier',
      }
  }
}

const revoked: BannerTexts = {
  title: 'Your access was ended by the owners',
  text: 'Please contact us. Billing of a subscription that still runs can be cancelled.',
  action: 'See what runs',
}

const complimentary: BannerTexts = {
  title: 'No Active Subscription',
  text: 'Your access is complimentary. There is nothing to pay.',
  action: 'Choose a tier',
}

function pastDue({ hasAccess, graceEndsOn }: BillingSubscription): BannerTexts {
  const day = graceEndsOn && formatLongDate(graceEndsOn)
  const access = day ? `You keep your access until ${day}.` : 'You keep your access for now.'
  return {
    title: 'Your last payment didn’t go through',
    text: hasAccess
      ? `${access} Put the card right and nothing changes.`
      : `Your access ended${day ? ` on ${day}` : ''}. Pay the open invoice and it is back.`,
    action: 'Put it right',
  }
}
