import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import type { Import } from '#shared/contract/imports.ts'
import {
  accessAdvice,
  importSentence,
  importTitle,
  isOfPeople,
  movedInBefore,
  planLines,
} from '#shared/rules/imports.ts'
import { ColumnChoices } from './column-choices.tsx'
import { Letters } from './letters.tsx'
import { PlanActions } from './plan-actions.tsx'
import { importQuery, isBusy, type RowsShown, rowsQuery } from './queries.ts'
import { SiteChoice } from './site-choice.tsx'
import { StripeChoices } from './stripe-choices.tsx'
import { useReading } from './use-import-action.ts'

type Props = {
  id: string
  /** The file was chosen again after it was moved in. */
  isOld: boolean
  onClose: () => void
}

export function ImportPlan({ id, isOld, onClose }: Props) {
  const query = useQuery(importQuery(id))
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { data } = query
  return (
    <section className="movein__plan" aria-label="Plan">
      <div className="panel__top">
        <h3 ref={title} tabIndex={-1}>
          {data ? importTitle(data) : 'Plan'}
        </h3>
        <IconButton icon="cross" label="Close the plan" onClick={onClose} />
      </div>
      <ListState {...query} />
      {data === undefined ? query.error === null && <Skeleton size="block" /> : <Plan given={data} isOld={isOld} />}
    </section>
  )
}

function Plan({ given, isOld }: { given: Import; isOld: boolean }) {
  const { state, problem, counts, done, kind } = given
  const reading = useReading(given)
  const advice = problem === null ? accessAdvice(given) : null
  return (
    <>
      {isOld && state === 'applied' && <Banner icon="warn" title={movedInBefore(given)} />}
      {problem !== null && state === 'planned' ? (
        <Banner tone="bad" role="status" title={problem} />
      ) : (
        <p role="status">
          <b>{importSentence(given)}</b>
        </p>
      )}
      {isBusy(given) && (
        <progress
          {...(state === 'applying' ? { value: done, max: counts.new + counts.double } : {})}
          aria-label="Progress"
        />
      )}
      {state !== 'planning' && problem === null && <PlanFacts given={given} />}
      {advice && <Banner icon="warn" title={advice} />}
      {state === 'planned' && kind === 'members' && given.columns.length > 0 && (
        <ColumnChoices given={given} reading={reading} />
      )}
      {state === 'planned' && kind === 'posts' && <SiteChoice given={given} reading={reading} />}
      {state === 'planned' && kind === 'stripe' && <StripeChoices given={given} reading={reading} />}
      {state !== 'planning' && <Remarks given={given} />}
      {state !== 'planning' && counts.double > 0 && (
        <Lines title="In the file twice" isOpen={false} what="What" given={given} which="double" />
      )}
      {state !== 'planning' && counts.refused + given.failed > 0 && <Refused given={given} />}
      <PlanActions given={given} reading={reading} />
      {state === 'applied' && isOfPeople(kind) && <Letters id={given.id} />}
    </>
  )
}

const PlanFacts = ({ given }: { given: Import }) => (
  <dl className="movein__facts">
    {planLines(given).map(({ label, count }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd className="num">{count.toLocaleString('en-GB')}</dd>
      </div>
    ))}
  </dl>
)

function Refused({ given }: { given: Import }) {
  const isStripe = given.kind === 'stripe'
  const title = isStripe ? 'Staying at Stripe, and why' : 'Lines we can’t move in'
  return <Lines title={title} isOpen={!isStripe} what="Why" given={given} which="refused" />
}

/** What rows lose on their way. Of Stripe: whose each subscription is, and what it becomes. */
function Remarks({ given }: { given: Import }) {
  const isStripe = given.kind === 'stripe'
  const title = isStripe ? 'Whose each subscription is' : 'What changes'
  return <Lines title={title} isOpen={!isStripe} what="What" given={given} which="remarked" />
}

type LinesProps = { given: Import; which: RowsShown; title: string; isOpen: boolean; what: string }

/** Opens on its own, because an owner should see it before pressing the button below. */
function Lines({ given, which, title, isOpen, what }: LinesProps) {
  const { data } = useQuery(rowsQuery(given, which))
  if (data === undefined || data.total === 0) return null
  const more = data.total - data.rows.length
  return (
    <details className="numbers" open={isOpen}>
      <summary>{`${title} (${data.total.toLocaleString('en-GB')})`}</summary>
      <Table caption={title}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">{what}</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map(({ line, reason }) => (
            <Row key={line}>
              <Cell label="Line" kind="number">
                {line}
              </Cell>
              <Cell label={what}>{reason}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      {more > 0 && <p className="second">{`And ${more.toLocaleString('en-GB')} more.`}</p>}
    </details>
  )
}
