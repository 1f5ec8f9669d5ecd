import { useState } from 'react'
import { SetPasswordForm } from '#pwa/features/auth/set-password-form.tsx'
import type { CurrentBuyer } from '#pwa/features/payment/buyer-queries.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { TextAnchor, TextLink } from '#pwa/ui/link.tsx'
import { StepList, TickList } from '#pwa/ui/list.tsx'
import { coachingCallText, firstCallText, includedTexts, type TierFlags } from './included-texts.ts'
import '#pwa/features/payment/purchase.css'

export const IncludedList = ({ tier }: { tier: TierFlags }) => <TickList items={includedTexts(tier)} />

/** A new member's first steps. Without a community, the videos and the tier's own call replace it. */
export function NextSteps({ tier }: { tier: TierFlags | undefined }) {
  const { links, callDay } = useSiteContent()
  const { community } = links
  const call = tier && coachingCallText(tier)
  return (
    <section className="purchase__part" aria-labelledby="next">
      <h2 className="purchase__second" id="next">
        {community || call ? 'Three' : 'Two'} next steps
      </h2>
      <StepList>
        <li>
          <h3>Check your email</h3>
          <p>We email you a receipt for every payment. Nothing there? Check your junk folder.</p>
        </li>
        {community ? (
          <li>
            <h3>Join the community</h3>
            <p>
              Say hello, and tell us what you want to fix first.{' '}
              <TextAnchor href={community} target="_blank" rel="noreferrer">
                Open the community
              </TextAnchor>
            </p>
          </li>
        ) : (
          <li>
            <h3>Watch the first video</h3>
            <p>It’s at the top of the members’ area. Tick it off when you’ve watched it.</p>
          </li>
        )}
        {(community || call) && (
          <li>
            <h3>{community ? 'First weekly call' : 'First call'}</h3>
            <p>
              {community ? firstCallText(tier, callDay) : `You get a ${call?.toLowerCase()}.`}{' '}
              {call && <TextLink to="/book-call">Book your call</TextLink>}
            </p>
          </li>
        )}
      </StepList>
    </section>
  )
}

type PasswordProps = {
  buyer: Pick<CurrentBuyer, 'session' | 'user'> | null | undefined
  /** The member has started on the form, so the page must not redirect. */
  onTouch?: () => void
}

/** Joining makes an account without a password. Renders nothing for a member who has one. */
export function FirstPassword({ buyer, onTouch }: PasswordProps) {
  // Someone else may log in while the page is open: only the person concerned sees their addresses.
  const [told, setTold] = useState<{ memberId: string; sentence: string } | null>(null)
  if (!buyer) return null
  const { session, user } = buyer
  if (told?.memberId === user.id)
    return (
      <div className="join__aside">
        <Banner tone="ok" role="status" title={told.sentence} />
      </div>
    )
  if (user.hasPassword) return null
  return (
    <div className="join__aside" onFocusCapture={onTouch} onPointerDownCapture={onTouch}>
      <SetPasswordForm
        isSaidBelow
        key={user.id}
        session={session}
        user={user}
        hasSignal
        isAddressNew
        onDone={(sentence) => setTold({ memberId: user.id, sentence })}
      />
    </div>
  )
}

export function CoachLinks() {
  const { coaches } = useSiteContent()
  return (
    <ul className="plain">
      {coaches.map(({ name, chat, email }) => (
        <li key={email} className="purchase__ways">
          <TextAnchor isTap href={`mailto:${email}`}>
            Email {name}
          </TextAnchor>
          <TextAnchor isTap href={chat} target="_blank" rel="noreferrer">
            WhatsApp {name}
          </TextAnchor>
        </li>
      ))}
    </ul>
  )
}
