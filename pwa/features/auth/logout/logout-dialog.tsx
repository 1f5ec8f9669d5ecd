import { useState } from 'react'
import type { UnsentQuestion } from '#pwa/sync/questions/shapes.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { plural } from '#shared/rules/plural.ts'
import { UnsentQuestions } from './unsent-questions.tsx'
import type { Losses } from './use-logout.ts'

type Props = { losses: Losses; onStay: () => void; onLogout: () => void }

/** Asks before a logout, which deletes all of the person's data from the device. */
function LogoutDialog({ losses: { forms, videos, drafts, words, questions, hasSignal }, onStay, onLogout }: Props) {
  const [unsent, setUnsent] = useState(questions?.unsent ?? [])
  const isLossy = forms + videos + drafts + words.length + unsent.length > 0
  return (
    <Dialog
      isOpen
      onClose={onStay}
      title={titleOf({ forms, videos, drafts, words: words.length, questions: unsent, hasSignal })}
      footer={
        <>
          <Button look={isLossy ? 'bad' : 'ink'} onClick={onLogout}>
            {isLossy ? 'Log out and delete' : 'Log out'}
          </Button>
          <Button look="line" onClick={onStay}>
            Stay logged in
          </Button>
        </>
      }
    >
      {questions && <UnsentQuestions unsent={unsent} queue={questions.queue} onChange={setUnsent} />}
      {forms > 0 && (
        <p>
          Logging out removes everything of yours from this phone, so you will lose {forms === 1 ? 'it' : 'them'}. Your
          video ticks are safe until you log in again.
        </p>
      )}
      {drafts > 0 && (
        <p>
          Logging out deletes {drafts === 1 ? 'it' : 'them'} from this device. To keep {drafts === 1 ? 'it' : 'them'},
          stay logged in and finish {drafts === 1 ? 'it' : 'them'} in the admin.
        </p>
      )}
      {words.length > 0 && (
        <>
          <p>
            These are only on this phone, and logging out deletes them. Stay logged in, and we’ll send them when we can.
          </p>
          <ul>
            {words.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
      {videos > 0 && (
        <p>
          {videos === 1 ? 'The video' : `The ${videos} videos`} kept on this phone will be deleted. You can keep{' '}
          {videos === 1 ? 'it' : 'them'} again after you log in.
        </p>
      )}
      {!hasSignal && <p>You’ll need signal to log in again. Your ticks are safe until you do.</p>}
    </Dialog>
  )
}

type Lost = {
  forms: number
  videos: number
  drafts: number
  words: number
  questions: readonly UnsentQuestion[]
  hasSignal: boolean
}

function titleOf({ forms, videos, drafts, words, questions, hasSignal }: Lost): string {
  if (questions.length > 0) return questionsTitle(questions)
  if (forms > 0) return unsentTitle(forms)
  if (drafts > 0)
    return drafts === 1 ? 'Something isn’t saved or sent yet' : `${drafts} things aren’t saved or sent yet`
  if (words > 0) return 'Some of what you wrote hasn’t been sent yet'
  if (videos > 0) return `Log out and delete ${plural(videos, 'video')}?`
  return hasSignal ? 'Log out?' : 'Log out without signal?'
}

/** Replies, photos and withdrawals wait like questions, and aren’t any. */
function questionsTitle(questions: readonly UnsentQuestion[]): string {
  const count = questions.length
  if (questions.every(({ kind }) => kind === 'question' || kind === 'draft'))
    return count === 1 ? 'One question hasn’t been sent yet' : `${count} questions haven’t been sent yet`
  if (questions.every(({ kind }) => kind === 'withdrawal'))
    return `Your coach can still see ${count === 1 ? 'a question' : `${count} questions`} you withdrew`
  return count === 1
    ? 'Something for your coach hasn’t been sent yet'
    : `${count} things for your coach haven’t been sent yet`
}

const unsentTitle = (count: number) =>
  count === 1 ? 'One form hasn’t been sent yet' : `${count} forms haven’t been sent yet`

export default LogoutDialog
