import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { ListState } from '#pwa/features/admin/list/list.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import type { Import, ImportRow } from '#shared/contract/imports.ts'
import { accessAdvice, importSentence, importTitle, isOfPeople, planLines } from '#shared/rules/imports.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { ColumnChoices } from './column-choices.tsx'
import { Letters } from './letters.tsx'
import { PlanActions } from './plan-actions.tsx'
import { importQuery, isBusy, refusedQuery, remarksQuery } from './queries.ts'
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
      {isOld && state === 'applied' && <MovedInBefore given={given} />}
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
      {state !== 'planning' && kind !== 'stripe' && <Remarks given={given} />}
      {state === 'planned' && kind === 'stripe' && <StripeChoices given={given} reading={reading} />}
      {state !== 'planning' && counts.refused + given.failed > 0 && <Refused given={given} />}
      <PlanActions given={given} reading={reading} />
      {state === 'applied' && isOfPeople(kind) && <Letters id={given.id} />}
    </>
  )
}

const MovedInBefore = ({ given: { appliedAt, createdAt } }: { given: Import }) => (
  <Banner
    icon="warn"
    title={`You moved this file in on ${formatLongDate(appliedAt ?? createdAt)}. Here’s the report. To move it in again, undo it first.`}
  />
)

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
  const { data: rows = [] } = useQuery(refusedQuery(given))
  const count = given.counts.refused + given.failed
  const isStripe = given.kind === 'stripe'
  const more = count - rows.length
  return (
    <Lines
      title={isStripe ? 'Staying at Stripe, and why' : 'Lines we can’t move in'}
      isOpen={!isStripe}
      count={count}
      what="Why"
      rows={rows}
    >
      {rows.length > 0 && more > 0 && <p className="second">{`And ${more} more.`}</p>}
    </Lines>
  )
}

/** What rows lose on their way. */
function Remarks({ given }: { given: Import }) {
  const { data: rows = [] } = useQuery(remarksQuery(given))
  return rows.length > 0 && <Lines isOpen title="What changes" count={rows.length} what="What" rows={rows} />
}

type LinesProps = {
  title: string
  isOpen: boolean
  count: number
  what: string
  rows: readonly ImportRow[]
  children?: ReactNode
}

/** Opens on its own, because an owner should see it before pressing the button below. */
const Lines = ({ title, isOpen, count, what, rows, children }: LinesProps) => (
  <details className="numbers" open={isOpen}>
    <summary>{`${title} (${count})`}</summary>
    <Table caption={title}>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">{what}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ line, reason }) => (
          <Row key={line}>
            <Cell label="Line" kind="number">
              {line}
            </Cell>
            <Cell label={what}>{reason}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
    {children}
  </details>
)
