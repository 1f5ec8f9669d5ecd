import { useQuery } from '@tanstack/react-query'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Commitment, commitmentTextLimit } from '#shared/contract/commitments.ts'
import { dayText } from '#shared/rules/commitment-words.ts'
import { agreedLines, dayNamed, idOfLine } from '#shared/rules/commitments.ts'
import { londonDay } from '#shared/rules/london.ts'
import { commitmentsQuery } from './queries.ts'
import './commitments.css'

export type CallOfMember = { id: string; startsAt: string; memberId: string }

type Props = { call: CallOfMember; agreed: string }

/** What was agreed, line by line. One press suggests a line to the member. */
export function AgreedLines({ call, agreed }: Props) {
  const { data } = useQuery(commitmentsQuery(call.memberId))
  return (
    <ul className="commitments commitments--lines">
      {agreedLines(agreed, commitmentTextLimit).map(({ line, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a note have nothing else, and may be equal
        <li key={at}>
          <span className="commitments__text">{line}</span>
          {text !== null && data && <LineState call={call} text={text} known={data.commitments} />}
        </li>
      ))}
    </ul>
  )
}

const words: Record<Commitment['state'], string> = {
  proposed: 'Suggested',
  open: 'On their list',
  done: 'Done',
  dropped: 'Dropped',
}

type LineProps = { call: CallOfMember; text: string; known: readonly Commitment[] }

function LineState({ call, text, known }: LineProps) {
  const id = idOfLine(call, text)
  const today = londonDay(new Date())
  const day = dayNamed(text, today)
  const action = useAdminAction({
    schema: Commitment,
    send: () => api.api.admin.members({ memberId: call.memberId }).commitments.post({ id, text, day, callId: call.id }),
    failure: 'We couldn’t suggest it.',
    done: ({ day: agreedDay }) => ({ title: 'Suggested', description: `By ${dayText(agreedDay, today)}.` }),
  })
  const found = known.find((one) => one.id === id)
  if (found)
    return (
      <small>
        {words[found.state]}
        {(found.state === 'open' || found.state === 'proposed') && `, by ${dayText(found.day, today)}`}
      </small>
    )
  return (
    <>
      <Button
        isSmall
        look="line"
        isBusy={action.isPending}
        busyLabel="Saving…"
        aria-label={`Suggest: ${text}`}
        onClick={() => action.mutate()}
      >
        Suggest it
      </Button>
      {action.problem && <span role="alert">{action.problem}</span>}
    </>
  )
}
