import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import { coachingCall, type TierFlags } from './included.ts'

/** What a new member does first. The third step promises no more than the tier gives. */
export function NextSteps({ tier }: { tier: TierFlags | undefined }) {
  const { links } = useSiteContent()
  return (
    <StepList>
      <li>
        <h3>Check your email</h3>
        <p>Your confirmation is on its way. Nothing there? Look in the junk folder.</p>
      </li>
      <li>
        <h3>Join the community</h3>
        <p>
          Say hello, and say what you want put right first.{' '}
          {links.community && (
            <TextAnchor href={links.community} target="_blank" rel="noreferrer">
              Open the community
            </TextAnchor>
          )}
        </p>
      </li>
      <li>
        <h3>First weekly call</h3>
        <p>{firstCall(tier)}</p>
      </li>
    </StepList>
  )
}

function firstCall(tier: TierFlags | undefined): string {
  if (!tier || tier.hasWeeklyAccountability)
    return 'The day and the link are in the community. Bring one thing to put right.'
  const call = coachingCall(tier)
  return call
    ? `Weekly calls are announced in the community. Your tier has a ${call.toLowerCase()}: book it there.`
    : 'Weekly calls are announced in the community. Until then, start with the first video in the members’ area.'
}
