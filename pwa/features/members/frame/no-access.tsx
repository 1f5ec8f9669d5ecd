import { useEffect, useState } from 'react'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { pageOf, stateAction, stateLine } from '#shared/rules/state-line.ts'

const benefitsOf = (name: string) => [
  'Training videos in nine categories, to tick off on site',
  'The members’ community',
  `Monthly coaching calls on ${name} and ${name} XL`,
  `Weekly accountability on ${name} XL`,
]

type Props = {
  /** Undefined or null while this device has none. */
  billing: BillingSubscription | null | undefined
}

/** Replaces the videos for someone logged in without access. */
export const NoAccess = ({ billing }: Props) => {
  const { shortName } = useSiteContent().brand
  return (
    <section className="sheet sheet--pad members__only" aria-labelledby="members-only">
      <p className="label">Member Access Required</p>
      <h2 id="members-only">Members Only</h2>
      {billing && !billing.showsBanner && <p>{stateLine(billing)}</p>}
      {!billing?.isRevoked && (
        <>
          <p>Join and you get:</p>
          <ul className="plain members__benefits">
            {benefitsOf(shortName).map((benefit) => (
              <li key={benefit}>
                <Icon name="tick" />
                {benefit}
              </li>
            ))}
          </ul>
        </>
      )}
      {billing && <WayIn billing={billing} />}
    </section>
  )
}

/** Only someone who has never been a member is asked to apply. The banner, if it shows, has every other way in. */
function WayIn({ billing }: { billing: BillingSubscription }) {
  const action = stateAction(billing)
  if (action?.kind === 'join') {
    return (
      <ButtonLink to={pageOf(action)} icon="arrow" look={billing.showsBanner ? 'line' : undefined}>
        JOIN THE MOVEMENT
      </ButtonLink>
    )
  }
  return (
    action !== null &&
    !billing.showsBanner && (
      <ButtonLink to={pageOf(action)} icon="arrow">
        {action.label}
      </ButtonLink>
    )
  )
}

const firstMs = 2000
const everyMs = 1000
const mostTries = 30

/** A payment went through but there's no access yet: checks every second, and says so. */
export function AccessPending({ check }: { check: () => void }) {
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries >= mostTries) return
    const checkAgain = () => {
      check()
      setTries(tries + 1)
    }
    const timer = setTimeout(checkAgain, tries === 0 ? firstMs : everyMs)
    return () => clearTimeout(timer)
  }, [tries, check])
  return tries < mostTries ? (
    <Banner role="status" title="We’re confirming your payment">
      It takes a few seconds. Your videos will open here.
    </Banner>
  ) : (
    <Banner role="status" title="It’s taking longer than usual">
      We’ll email you as soon as it’s gone through. Please don’t pay again.
    </Banner>
  )
}
