import { type ReactNode, Suspense, useEffect, useState } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { changeDismissed } from '#pwa/features/members/stored/dismissed-storage.ts'
import { useNotesRefresh } from '#pwa/features/members/stored/use-member-data.ts'
import type { StoredArea } from '#pwa/features/members/stored/use-stored-area.ts'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { phoneNow } from '#pwa/sync/progress/phone-lock.ts'
import { Button } from '#pwa/ui/button.tsx'
import { RichTextView } from '#pwa/ui/rich-text.tsx'
import type { MemberAnnouncement } from '#shared/contract/announcement.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import { formatLongDate } from '#shared/rules/london.ts'

/** Lazy: asked once, so others needn't load it. */
const AskForNews = lazyExtra(() => import('./news-consent.tsx'))

type Stored = Pick<StoredArea, 'notes' | 'notesSavedAt' | 'dismissed' | 'clock'>

/**
 * The notes to show on the dashboard now. Without signal a phone uses the server's clock as best it knows it, and putting the
 * device's clock back doesn't bring a note back.
 */
export function notesNow({ notes, notesSavedAt, dismissed, clock }: Stored): MemberAnnouncement[] {
  if (notes === null) return []
  const savedAt = notesSavedAt + clock.offset
  const now = Date.parse(notes.now) + Math.max(0, phoneNow({ clock }) - savedAt)
  return notes.announcements.filter(
    ({ id, startsAt, endsAt }) => !dismissed.includes(id) && Date.parse(startsAt) <= now && now < Date.parse(endsAt),
  )
}

/** A page may stay open past a note's end. */
const checkEveryMs = 60_000

type Props = {
  stored: Stored
  session: AuthSession
  user: SessionUser
  hasSignal: boolean
  isOpen: boolean
  children: ReactNode
}

export function WithNotes({ stored, session, user, hasSignal, isOpen, children }: Props) {
  const { retry } = useNotesRefresh(session, isOpen)
  const mayChange = !user.isImpersonating
  return (
    <>
      {isOpen && <Notes stored={stored} mayChange={mayChange} refresh={retry} />}
      {children}
      {isOpen && mayChange && hasSignal && stored.notes?.asksForNews && (
        <Suspense>
          <AskForNews session={session} onDone={retry} />
        </Suspense>
      )}
    </>
  )
}

type NotesProps = { stored: Stored; mayChange: boolean; refresh: () => void }

function Notes({ stored, mayChange, refresh }: NotesProps) {
  const { store } = useEngine()
  const [, checkAgain] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => checkAgain((count) => count + 1), checkEveryMs)
    return () => clearInterval(timer)
  }, [])
  const dismiss = (id: string) => {
    changeDismissed(store, (ids) => [...ids, id])
      .then(refresh)
      .catch(reportUnlessClosed)
  }
  return notesNow(stored).map(({ id, title, text, startsAt }) => (
    <section key={id} className="sheet note" aria-labelledby={`note-${id}`}>
      <h2 id={`note-${id}`}>{title}</h2>
      <p className="label">Posted {formatLongDate(startsAt)}</p>
      <RichTextView text={text} />
      {mayChange && (
        <Button look="line" isSmall icon="tick" aria-label={`Dismiss: ${title}`} onClick={() => dismiss(id)}>
          Dismiss
        </Button>
      )}
    </section>
  ))
}
