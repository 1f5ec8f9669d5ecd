import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { needsManualInstall, useInstallPrompt } from '#pwa/lib/install.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

const storageKey = 'install-later'

/** Shown in the members' area until it is dismissed: how to put the app on the home screen. */
export function InstallPrompt() {
  const isMembersArea = useRouterState({ select: ({ location }) => location.pathname === '/members' })
  const [isDismissed, setDismissed] = useState(() => deviceStorage.getItem(storageKey) !== null)
  const install = useInstallPrompt()
  if (!isMembersArea || isDismissed || !(install || needsManualInstall())) return null
  const dismiss = () => {
    deviceStorage.setItem(storageKey, '1')
    setDismissed(true)
  }
  return (
    <Banner
      icon={install ? 'down' : 'share'}
      title="Put it on your home screen"
      action={
        <>
          {install && (
            <Button isSmall onClick={install}>
              Install
            </Button>
          )}
          <Button look="bare" isSmall onClick={dismiss}>
            Not now
          </Button>
        </>
      }
    >
      {install
        ? 'It opens like an app, and your list works without signal.'
        : 'Press Share in Safari, then “Add to Home Screen”. Your list then works without signal.'}
    </Banner>
  )
}
