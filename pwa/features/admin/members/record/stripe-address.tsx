import { lazy, Suspense, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { MemberRecord, StripeAddressDecision } from '#shared/contract/member-record.ts'

const StripeAddressDialog = lazy(() =>
  loadFile(() => import('./dialogs/stripe-address-dialog.tsx')).then((file) => ({ default: file.StripeAddressDialog })),
)

/** Someone changed the address in Stripe’s dashboard, and nothing follows until an owner says which one counts. */
export function StripeAddress({ record, name }: { record: MemberRecord; name: string }) {
  const [counts, setCounts] = useState<StripeAddressDecision['counts'] | null>(null)
  const { stripeAddress: address, member } = record
  if (address === null) return null
  return (
    <>
      <Banner tone="bad" title="Stripe has another email">
        <p>
          There it’s {address}. Here it’s {member.email}. Which one counts?
        </p>
        <div className="acts">
          <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setCounts('stripe')}>
            Use the one at Stripe
          </Button>
          <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setCounts('ours')}>
            Keep ours
          </Button>
        </div>
      </Banner>
      {counts && (
        <Suspense>
          <StripeAddressDialog
            member={member}
            address={address}
            counts={counts}
            name={name}
            onClose={() => setCounts(null)}
          />
        </Suspense>
      )}
    </>
  )
}
