import { choosePrivacy, outsideTools, usePrivacyChoice } from '#pwa/lib/privacy-choice.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { Measuring } from '#shared/contract/site-content.ts'
import { useOutsideTools } from './use-outside-tools.ts'
import './consent.css'

type Props = { measuring: Measuring }

function ConsentSection({ measuring }: Props) {
  const choice = usePrivacyChoice(measuring)
  useOutsideTools(measuring, choice)
  return choice === 'open' ? <Question measuring={measuring} /> : null
}

function Question({ measuring }: Props) {
  const choose = (choice: 'agreed' | 'refused') => {
    choosePrivacy(measuring, choice)
    // The pressed button disappears with the banner, and the focus mustn't get lost.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <section className="consent" aria-label="Privacy">
      <Banner
        icon="info"
        title="Can we use measuring tools?"
        action={
          <>
            <Button look="line" isSmall onClick={() => choose('agreed')}>
              Accept
            </Button>
            <Button look="line" isSmall onClick={() => choose('refused')}>
              Reject
            </Button>
          </>
        }
      >
        <p className="second">
          {outsideTools(measuring)
            .map(({ host, purpose }) => `${host} ${purpose}`)
            .join(', and ')}
          . Nothing loads unless you accept. Change your mind any time under “Privacy choices” at the bottom of any
          page.{' '}
          <a className="link" href="/cookies">
            Cookies
          </a>
        </p>
      </Banner>
    </section>
  )
}

export default ConsentSection
