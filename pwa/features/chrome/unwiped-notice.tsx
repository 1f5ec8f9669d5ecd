import { useState } from 'react'
import { tabStorage } from '#pwa/lib/storage.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

const names: Record<string, string> = {
  caches: 'invoices',
  films: 'kept videos',
  forms: 'forms',
}

const dismissedKey = 'unwiped-told'

/**
 * What a logout couldn't delete from this phone, by the names in `unwiped`. It goes once it's deleted. Once put away, a tab doesn't
 * say the same again: it may cover the login.
 */
export default function UnwipedNotice({ left }: { left: string }) {
  const [told, setTold] = useState(() => tabStorage.getItem(dismissedKey))
  if (told === left) return null
  const dismiss = () => {
    tabStorage.setItem(dismissedKey, left)
    setTold(left)
  }
  const parts = [...new Set(left.split(' ').map((name) => names[name] ?? 'videos list'))]
  return (
    <Banner
      tone="bad"
      role="status"
      title="Logging out didn’t clear everything"
      action={
        <>
          <Button isSmall onClick={() => window.location.reload()}>
            Reload
          </Button>
          <Button look="bare" isSmall onClick={dismiss}>
            OK
          </Button>
        </>
      }
    >
      {`Still on this phone: your ${new Intl.ListFormat('en-GB').format(parts)}. `}
      Close our other tabs, then reload and we’ll try again. Or clear your browser’s data for this site.
    </Banner>
  )
}
