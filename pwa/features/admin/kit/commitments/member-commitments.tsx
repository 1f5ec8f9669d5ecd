import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { Commitment, MemberCommitments as Found } from '#shared/contract/commitments.ts'
import { dayText, shareText } from '#shared/rules/commitment-words.ts'
import { isKept, isLate, lastShares } from '#shared/rules/commitments.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { ProposeDialog } from './propose-dialog.tsx'
import { commitmentsQuery } from './queries.ts'
import './commitments.css'

type Props = {
  memberId: string
  name: string
  /** Only what's open or waits for a yes, as before a call. */
  isShort?: boolean
}

/** What a member said they'd do, and how much of it they did. The coach can suggest one. */
export function MemberCommitments({ memberId, name, isShort = false }: Props) {
  const query = useQuery(commitmentsQuery(memberId))
  const [isOpen, setOpen] = useState(false)
  const [today] = useState(() => londonDay(new Date()))
  return (
    <>
      {query.data ? (
        <List found={query.data} today={today} isShort={isShort} />
      ) : query.error === null ? (
        <Skeleton size="block" />
      ) : (
        <ListState {...query} />
      )}
      <div>
        <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Suggest something
        </Button>
      </div>
      {isOpen && <ProposeDialog memberId={memberId} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Settled ones that a record shows before more are asked for. */
const shownSettled = 5

function List({ found: { commitments, months }, today, isShort }: { found: Found; today: string; isShort: boolean }) {
  const [isAll, setAll] = useState(false)
  const unsettled = commitments.filter(({ state }) => state === 'open' || state === 'proposed')
  const settled = isShort ? [] : commitments.filter(({ state }) => state === 'done' || state === 'dropped')
  const hidden = isAll ? 0 : Math.max(0, settled.length - shownSettled)
  const shown = [...unsettled, ...settled.slice(0, settled.length - hidden)]
  return (
    <>
      {lastShares(months, today).map((share) => (
        <p key={share.month}>{shareText(share, today)}</p>
      ))}
      {shown.length === 0 ? (
        <p className="second">{isShort ? 'Nothing open.' : 'Nothing yet.'}</p>
      ) : (
        <ul className="commitments">
          {shown.map((commitment) => (
            <Row key={commitment.id} commitment={commitment} today={today} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <div>
          <Button isSmall look="bare" onClick={() => setAll(true)}>
            Show {plural(hidden, 'earlier one')}
          </Button>
        </div>
      )}
    </>
  )
}

const Row = ({ commitment, today }: { commitment: Commitment; today: string }) => (
  <li>
    <span className="commitments__text">{commitment.text}</span> <State commitment={commitment} today={today} />
    {fromOf(commitment) && <small>{fromOf(commitment)}</small>}
  </li>
)

function State({ commitment, today }: { commitment: Commitment; today: string }) {
  const { state, day, doneOn } = commitment
  if (state === 'dropped') return <Badge tone="plain">Dropped</Badge>
  if (state === 'proposed') return <Badge tone="wait">Suggested, by {dayText(day, today)}</Badge>
  if (state === 'open')
    return (
      <Badge tone="wait">
        {isLate(commitment, today) ? 'Was due' : 'By'} {dayText(day, today)}
      </Badge>
    )
  return (
    <Badge tone="ok">
      Done {doneOn === null ? '' : dayText(doneOn, today)}
      {isKept(commitment) ? '' : `, was due ${dayText(day, today)}`}
    </Badge>
  )
}

function fromOf({ video, call, madeBy }: Commitment): string | null {
  if (video) return `From “${video.title}”`
  if (call) return `From the call on ${formatLongDate(call.startsAt)}`
  return madeBy === 'coach' ? 'A coach suggested it' : null
}
