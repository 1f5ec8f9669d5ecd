import { wantInstall } from '#pwa/lib/install.ts'
import { seeBrowser } from '#pwa/lib/see-browser.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { installWay } from '#shared/rules/install-way.ts'

/** Why this browser keeps nothing, and what to do about it. */
export const NotHere = ({ reason }: { reason: string }) => (
  <Banner
    icon="info"
    title={reason}
    action={
      // If there was an offer, there would be no reason.
      installWay(seeBrowser(), false) && (
        <Button look="line" isSmall aria-haspopup="dialog" onClick={() => wantInstall('steps')}>
          Show me how
        </Button>
      )
    }
  />
)
