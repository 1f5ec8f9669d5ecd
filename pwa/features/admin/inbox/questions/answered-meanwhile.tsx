import { receivedAt } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { QuestionMessage } from '#shared/contract/questions.ts'

type Props = {
  answers: readonly QuestionMessage[]
  isBusy: boolean
  onSend: () => void
  onWrite: () => void
}

/** The other owner’s answer, read before this one goes. */
export const AnsweredMeanwhile = ({ answers, isBusy, onSend, onWrite }: Props) => (
  <Banner
    tone="bad"
    role="alert"
    title="Someone’s answered since you started"
    action={
      <>
        <Button isSmall isBusy={isBusy} busyLabel="Sending…" onClick={onSend}>
          Send mine too
        </Button>
        <Button isSmall look="line" onClick={onWrite}>
          Change mine first
        </Button>
      </>
    }
  >
    <ul className="plain">
      {answers.map(({ id, name, text, link, files, at }) => (
        <li key={id}>
          <span className="second">
            {name ?? 'A coach'}, {receivedAt(at)}
          </span>
          <span className="entry__words">
            {[text, link?.title, files.length > 0 && 'With a voice note.'].filter(Boolean).join('\n')}
          </span>
        </li>
      ))}
    </ul>
  </Banner>
)
