import { useEffect, useState } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'

const benefits = [
  'Training videos in nine categories, to tick off on site',
  'The community of members',
  'Monthly coaching calls on Alliance and Alliance XL',
  'Weekly accountability on Alliance XL',
]

/** In the place of the videos, for a person who is logged in and has no access. */
export const NoAccess = ({ isRevoked }: { isRevoked: boolean }) => (
  <section className="sheet sheet--pad members__only" aria-labelledby="members-only">
    <p className="label">Member Access Required</p>
    <h2 id="members-only">Members Only</h2>
    {isRevoked ? (
      <p>Your access was ended by the owners. Please contact us.</p>
    ) : (
      <>
        <p>This part of the site comes with a membership:</p>
        <ul className="plain members__benefits">
          {benefits.map((benefit) => (
            <li key={benefit}>
              <Icon name="tick" />
              {benefit}
            </li>
          ))}
        </ul>
      </>
    )}
    {isRevoked ? (
      <ButtonAnchor href="/contact" icon="arrow">
        Contact us
      </ButtonAnchor>
    ) : (
      <ButtonLink to="/membership-application" icon="arrow">
        JOIN THE MOVEMENT
      </ButtonLink>
    )}
  </section>
)

const firstMs = 2000
const everyMs = 1000
const mostTries = 30

/** A payment went through and the access is not there yet: checks every second, and says so. */
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
    <Banner role="status" title="Your payment is being confirmed">
      It takes a few seconds. This page opens by itself.
    </Banner>
  ) : (
    <Banner role="status" title="The confirmation is taking longer">
      You will have an e-mail as soon as it is there. Nothing more is needed from you.
    </Banner>
  )
}
