import { makeCommitment } from '#pwa/sync/commitments/outbox.ts'
import { type ShownCommitment, useCommitments } from '#pwa/sync/commitments/status.ts'
import { useEngine, useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { commitmentTextLimit } from '#shared/contract/commitments.ts'
import { dayText } from '#shared/rules/commitment-words.ts'
import { type AgreedLine, agreedLines, dayNamed, idOfLine } from '#shared/rules/commitments.ts'
import { londonDay } from '#shared/rules/london.ts'
import { notKept } from './commitment-texts.ts'
import './commitments.css'

type Props = { call: { id: string; startsAt: string }; agreed: string }

/** What was agreed, line by line. One press puts a line on the member's list, with or without signal. */
export default function AgreedLines({ call, agreed }: Props) {
  const shown = useCommitments()
  const isReadOnly = useIsReadOnly()
  return (
    <ul className="commit__lines">
      {agreedLines(agreed, commitmentTextLimit).map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a note have nothing else, and may be equal
        <li className="commit__line" key={at}>
          {one.line}
          {one.text !== null && shown && (
            <LineState call={call} text={one.text} all={shown.all} isReadOnly={isReadOnly} />
          )}
        </li>
      ))}
    </ul>
  )
}

type LineProps = {
  call: Props['call']
  text: NonNullable<AgreedLine['text']>
  all: readonly ShownCommitment[]
  isReadOnly: boolean
}

function LineState({ call, text, all, isReadOnly }: LineProps) {
  const engine = useEngine()
  const toast = useToast()
  const today = londonDay(new Date())
  const id = idOfLine(call, text)
  const known = all.find((one) => one.id === id)
  const isMade = known !== undefined && known.state !== 'proposed'
  if (isMade)
    return (
      <TextLink className="link--small" to="/members/$place" params={{ place: 'commitments' }}>
        {known.state === 'done'
          ? 'Done'
          : known.state === 'dropped'
            ? 'Dropped'
            : `On your list, by ${dayText(known.day, today)}`}
      </TextLink>
    )
  if (isReadOnly) return null
  const day = known?.day ?? dayNamed(text, today)
  const make = () =>
    makeCommitment(engine, id, { text, day, video: null, call }).then(
      () =>
        toast({
          title: 'On your list',
          description: `By ${dayText(day, today)}. You can change the day there.`,
          tone: 'ok',
        }),
      (error: unknown) => {
        reportError(error)
        toast({ title: notKept, tone: 'bad' })
      },
    )
  return (
    <Button look="line" isSmall icon="list" isBusy={false} aria-label={`Put on my list: ${text}`} onClick={make}>
      Put on my list
    </Button>
  )
}
