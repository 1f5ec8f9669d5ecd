import { CoachLinks } from '#pwa/features/join/coach-links.tsx'
import type { KnownBuyer } from '#pwa/features/join/known-buyer.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'

/** Where nothing new is for sale: what stands in the way, and the way on from there. */
export const WayOn = ({ known: { subscription } }: { known: KnownBuyer; onChanged: () => void }) => {
  const { lead, isToPay } = wordsFor(subscription)
  return (
    <>
      <p className="lead">{lead}</p>
      {isToPay && <CoachLinks />}
    </>
  )
}

/** `isToPay`: a coach puts it right with him. */
type Words = { lead: string; isToPay?: boolean }

const wordsFor = ({ isRevoked, offer, label, endsOn }: BillingSubscription): Words => {
  if (isRevoked) return { lead: 'Your access was ended by the owners. Please contact us.', isToPay: true }
  switch (offer) {
    case 'already_active':
      return { lead: 'Your membership is active.' }
    case 'nothing':
      return { lead: `${label}. There is nothing to do.` }
    case 'resume':
      return endsOn
        ? { lead: `Your membership ends on ${formatLongDate(endsOn)}. Tell a coach to keep it.`, isToPay: true }
        : { lead: 'Your membership is paused. Tell a coach to go on.', isToPay: true }
    default:
      return { lead: 'A payment is open. Tell a coach, and he puts it right with you.', isToPay: true }
  }
}
