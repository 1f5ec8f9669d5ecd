import { useState } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { MailChoiceList } from '#shared/contract/account.ts'

/** Nobody gets news who has not agreed to it; either answer is kept, and can be changed in the profile. */
export default function AskForNews({ session, onDone }: { session: AuthSession; onDone: () => void }) {
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const choose = (isWanted: boolean) => {
    setBusy(true)
    parseResponse(MailChoiceList, session.api.api.user['mail-choices'].put({ purpose: 'news', isWanted }))
      .then(() => {
        toast({ title: isWanted ? 'We will email you our news' : 'No news by email', tone: 'ok' })
        onDone()
      })
      .catch((error) => {
        setBusy(false)
        toast({ title: 'Not saved', description: messageOf(error, 'Please try again.'), tone: 'bad' })
      })
  }
  return (
    <section className="sheet note" aria-labelledby="ask-news">
      <h2 id="ask-news">May we email you our news?</h2>
      <p>What is new, events and offers, now and then. You can stop them at any time.</p>
      <div className="acts">
        <Button look="line" isSmall disabled={isBusy} onClick={() => choose(true)}>
          Yes, email me
        </Button>
        <Button look="bare" isSmall disabled={isBusy} onClick={() => choose(false)}>
          No, thank you
        </Button>
      </div>
    </section>
  )
}
