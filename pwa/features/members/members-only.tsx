import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'

const benefits = [
  'Training videos in nine categories, to tick off on site',
  'The community of members',
  'Monthly coaching calls on Alliance and Alliance XL',
  'Weekly accountability on Alliance XL',
]

/** Instead of the videos, for somebody who is logged in and has no access. */
export const MembersOnly = ({ isRevoked }: { isRevoked: boolean }) => (
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
