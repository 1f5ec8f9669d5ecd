import { createPortal } from 'react-dom'
import { choosePrivacy, outsideTools, type PrivacyChoice, usePrivacyChoice } from '#pwa/lib/privacy-choice.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import type { Measuring } from '#shared/contract/site-content.ts'

type Props = { isOpen: boolean; onClose: () => void }

const said: Record<PrivacyChoice, string> = {
  agreed: 'You accepted these. If you reject them now, the page reloads without them.',
  refused: 'You rejected these, so none of them load.',
  open: 'You haven’t chosen yet. None of these load unless you accept.',
}

function ConsentDialog({ isOpen, onClose }: Props) {
  const { measuring } = useSiteContent()
  const choice = usePrivacyChoice(measuring)
  const hasTools = outsideTools(measuring).length > 0
  const choose = (next: 'agreed' | 'refused') => {
    choosePrivacy(measuring, next)
    onClose()
  }
  const footer = (
    <>
      <Button look={choice === 'agreed' ? 'picked' : 'line'} onClick={() => choose('agreed')}>
        Accept
      </Button>
      <Button look={choice === 'refused' ? 'picked' : 'line'} onClick={() => choose('refused')}>
        Reject
      </Button>
    </>
  )
  return createPortal(
    <Dialog isOpen={isOpen} onClose={onClose} title="Privacy choices" footer={hasTools && footer}>
      <h3>What we count ourselves</h3>
      <p>
        Pages seen, the site you came from, forms started and sent, videos completed, logins and payments. We count on
        our own server, without cookies or anything that says who you are. We leave out browsers that ask not to be
        tracked.
      </p>
      <h3>Measuring tools</h3>
      {hasTools ? <Tools measuring={measuring} choice={choice} /> : <p>We don’t use any.</p>}
      <p>
        More about it:{' '}
        <a className="link" href="/cookies">
          cookies
        </a>{' '}
        and{' '}
        <a className="link" href="/privacy">
          privacy
        </a>
        .
      </p>
    </Dialog>,
    // Inside the footer it would inherit the footer's colours.
    document.body,
  )
}

const Tools = ({ measuring, choice }: { measuring: Measuring; choice: PrivacyChoice }) => (
  <>
    <ul className="plain stack">
      {outsideTools(measuring).map(({ host, purpose }) => (
        <li key={purpose}>
          <b>{host}</b> {purpose}. It may set cookies, and will know you were here.
        </li>
      ))}
    </ul>
    <p>{said[choice]}</p>
  </>
)

export default ConsentDialog
