import { lazy, Suspense, useState } from 'react'
import { installLaterKey, wantInstall } from '#pwa/lib/install.ts'
import { useInstallPrompt } from '#pwa/lib/install-offer.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { seeBrowser } from '#pwa/lib/see-browser.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { type InstallWay, installWay } from '#shared/rules/install-way.ts'
import { installTitle } from './install-texts.ts'

const InstallDialog = lazy(() => loadFile(() => import('./install-dialog.tsx')))

/** Offers to put the site on the home screen, and shows how. `isAsked`: someone wants to know now. */
export default function InstallNotice({ isAsked }: { isAsked: boolean }) {
  const [isPutAway, setPutAway] = useState(() => deviceStorage.getItem(installLaterKey) !== null)
  const install = useInstallPrompt()
  const way = installWay(seeBrowser(), install !== undefined)
  const putAway = () => {
    deviceStorage.setItem(installLaterKey, '1')
    setPutAway(true)
  }
  if (way === null) return null
  return (
    <>
      {!isPutAway && (
        <Banner
          icon={install ? 'down' : 'share'}
          title={installTitle(way)}
          action={
            <>
              {install ? (
                <Button isSmall onClick={() => install().then(putAway, reportError)}>
                  Install
                </Button>
              ) : (
                <Button isSmall aria-haspopup="dialog" onClick={() => wantInstall('steps')}>
                  Show me how
                </Button>
              )}
              <Button look="bare" isSmall onClick={putAway}>
                Not now
              </Button>
            </>
          }
        >
          {reasonOf(way)}
        </Banner>
      )}
      {isAsked && (
        <Suspense>
          <InstallDialog way={way} onClose={() => wantInstall(null)} onDone={putAway} />
        </Suspense>
      )}
    </>
  )
}

const reasonOf = ({ kind }: InstallWay) =>
  kind === 'leave'
    ? 'You’re in another app’s browser, which can’t add us to your home screen.'
    : 'It opens like an app, and your video list works without signal.'
