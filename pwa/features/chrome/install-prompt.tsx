import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { needsHandInstall, useInstall } from '#pwa/lib/install.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

const storageKey = 'install-later'

/** In the members' area, once: how to have the videos and ticks on the home screen. */
export function InstallPrompt() {
  const isMembersArea = useRouterState({ select: ({ location }) => location.pathname === '/members' })
  const [isLater, setLater] = useState(() => deviceStorage.getItem(storageKey) !== null)
  const install = useInstall()
  if (!isMembersArea || isLater || !(install || needsHandInstall())) return null
  const leave = () => {
    deviceStorage.setItem(storageKey, '1')
    setLater(true)
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
          <Button look="bare" isSmall onClick={leave}>
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
