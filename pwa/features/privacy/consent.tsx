import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onPageView } from '#pwa/lib/page-views.ts'
import { choosePrivacy, outsideTools, usePrivacyChoice } from '#pwa/lib/privacy-choice.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { Measuring } from '#shared/contract/site-content.ts'
import { startTools, stopTools } from './outside-tools.ts'
import './consent.css'

type Props = { measuring: Measuring }

/**
 * Lets the outside tools in or keeps them out, as the visitor chose; asks where he has not. They start on public pages
 * alone: logging in, paying and the members' area are nobody else's business.
 */
function Consent({ measuring }: Props) {
  const choice = usePrivacyChoice(measuring)
  const router = useRouter()
  useEffect(() => {
    if (choice !== 'agreed') return stopTools()
    const startHere = () => {
      if (router.state.matches.at(-1)?.staticData.isPublic) startTools(measuring)
    }
    startHere()
    // Once all have heard of the view: a tool that starts with it is told of it once.
    return onPageView(() => queueMicrotask(startHere))
  }, [choice, measuring, router])
  return choice === 'open' ? <Question measuring={measuring} /> : null
}

function Question({ measuring }: Props) {
  const choose = (choice: 'agreed' | 'refused') => {
    choosePrivacy(measuring, choice)
    // The pressed button goes with the banner.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <section className="consent" aria-label="Privacy">
      <Banner
        icon="eye"
        title="May we measure this visit with outside tools?"
        action={
          <>
            <Button look="line" isSmall onClick={() => choose('agreed')}>
              Agree
            </Button>
            <Button look="line" isSmall onClick={() => choose('refused')}>
              Refuse
            </Button>
          </>
        }
      >
        <p className="second">
          {outsideTools(measuring)
            .map(({ host, purpose }) => `${host} ${purpose}`)
            .join(', and ')}
          . Nothing loads unless you agree. To change your mind: “Privacy choices”, at the foot of every page.
        </p>
      </Banner>
    </section>
  )
}

export default Consent
