import { useState } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { MailChoiceList } from '#shared/contract/account.ts'

/** News goes only to people who agreed. Either answer is kept and can be changed in the profile. */
export default function AskForNews({ session, onDone }: { session: AuthSession; onDone: () => void }) {
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const choose = (isWanted: boolean) => {
    setBusy(true)
    parseResponse(MailChoiceList, session.api.api.user['mail-choices'].put({ purpose: 'news', isWanted }))
      .then(() => {
        toast({ title: isWanted ? 'We’ll email you our news' : 'No news by email', tone: 'ok' })
        onDone()
      })
      .catch((error) => {
        setBusy(false)
        toast({ title: 'We couldn’t save that', description: messageOf(error, 'Try again.'), tone: 'bad' })
      })
  }
  return (
    <section className="sheet note" aria-labelledby="ask-news">
      <h2 id="ask-news">Want our news by email?</h2>
      <p>New videos, events and the odd offer. Unsubscribe any time.</p>
      <div className="acts">
        <Button look="line" isSmall disabled={isBusy} onClick={() => choose(true)}>
          Yes, email me
        </Button>
        <Button look="bare" isSmall disabled={isBusy} onClick={() => choose(false)}>
          No, thanks
        </Button>
      </div>
    </section>
  )
}
