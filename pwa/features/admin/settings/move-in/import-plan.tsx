import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/confirm-dialog.tsx'
import { ListState } from '#pwa/features/admin/list/list.tsx'
import { PlaceLink } from '#pwa/features/admin/today/part.tsx'
import type { PlaceTarget } from '#pwa/features/admin/today/today-texts.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import { Import, type ImportKindName, type ImportRow } from '#shared/contract/imports.ts'
import { accessAdvice, importNoun, importSentence, importTitle, isOfPeople, planLines } from '#shared/rules/imports.ts'
import { ColumnChoices } from './column-choices.tsx'
import { Letters } from './letters.tsx'
import { importQuery, isBusy, refusedQuery, remarksQuery } from './queries.ts'
import { SiteChoice } from './site-choice.tsx'
import { allTicked, StripeChoices, StripeSteps } from './stripe-choices.tsx'

export function ImportPlan({ id, onClose }: { id: string; onClose: () => void }) {
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
      {data === undefined ? query.error === null && <Skeleton size="block" /> : <Plan given={data} />}
    </section>
  )
}

function Plan({ given }: { given: Import }) {
  const { state, problem, counts, done, kind } = given
  const advice = problem === null ? accessAdvice(given) : null
  return (
    <>
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
        <ColumnChoices key={given.id} given={given} />
      )}
      {state === 'planned' && kind === 'posts' && <SiteChoice key={given.id} given={given} />}
      {state !== 'planning' && kind !== 'stripe' && <Remarks given={given} />}
      {state === 'planned' && kind === 'stripe' && <StripeChoices key={given.id} given={given} />}
      {state !== 'planning' && counts.refused + given.failed > 0 && <Refused given={given} />}
      <PlanActions given={given} />
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
  const { data: rows = [] } = useQuery(refusedQuery(given))
  const count = given.counts.refused + given.failed
  const more = count - rows.length
  return (
    <Lines title="Lines we can’t move in" count={count} what="Why" rows={rows}>
      {rows.length > 0 && more > 0 && <p className="second">{`And ${more} more.`}</p>}
    </Lines>
  )
}

/** What rows lose on their way. */
function Remarks({ given }: { given: Import }) {
  const { data: rows = [] } = useQuery(remarksQuery(given))
  return rows.length > 0 && <Lines title="What changes" count={rows.length} what="What" rows={rows} />
}

type LinesProps = { title: string; count: number; what: string; rows: readonly ImportRow[]; children?: ReactNode }

const Lines = ({ title, count, what, rows, children }: LinesProps) => (
  <details className="numbers">
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

/** Where what was moved in is now. */
const placeOf: Record<ImportKindName, PlaceTarget & { children: string }> = {
  members: { place: 'members', search: { show: 'all' }, children: 'See all members' },
  posts: { place: 'blog', children: 'See the posts' },
  lessons: { place: 'videos', children: 'See the videos' },
  stripe: { place: 'members', children: 'See who has access' },
}

const failure = 'That didn’t work.'

function useImportAction(given: Import, what: 'apply' | 'cancel' | 'undo', onDone?: () => void) {
  const call = api.api.admin.imports({ id: given.id })
  const titles = { apply: 'Moving in', cancel: 'Import cancelled', undo: 'Undoing' }
  return useAdminAction({
    schema: Import,
    send: () => call[what].post(),
    failure,
    done: { title: titles[what] },
    ...(onDone ? { onDone } : {}),
  })
}

function PlanActions({ given }: { given: Import }) {
  const { kind, state, counts, failed, problem, options } = given
  const [isUndoOpen, setUndoOpen] = useState(false)
  const [ticked, setTicked] = useState(0)
  const isStripe = kind === 'stripe'
  const apply = useImportAction(given, 'apply')
  const cancel = useImportAction(given, 'cancel')
  const undo = useImportAction(given, 'undo', () => setUndoOpen(false))
  const trouble = apply.problem ?? cancel.problem
  const isReady = problem === null && counts.new > 0 && !options.rehearses && (!isStripe || ticked === allTicked)
  return (
    <div className="movein__acts">
      {state === 'planned' && (
        <>
          {isStripe && counts.new > 0 && <StripeSteps ticked={ticked} onTick={setTicked} />}
          <Button isBusy={apply.isPending} busyLabel="Starting…" disabled={!isReady} onClick={() => apply.mutate()}>
            {`${isStripe ? 'Adopt' : 'Move in'} ${importNoun(kind, counts.new)}`}
          </Button>
          <Button look="line" isBusy={cancel.isPending} busyLabel="Cancelling…" onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        </>
      )}
      {state === 'applying' && (
        <Button look="line" aria-haspopup="dialog" onClick={() => setUndoOpen(true)}>
          Stop and undo
        </Button>
      )}
      {state === 'applied' && counts.new - failed > 0 && (
        <>
          <Button look="line" aria-haspopup="dialog" onClick={() => setUndoOpen(true)}>
            Undo
          </Button>
          <PlaceLink {...placeOf[kind]} />
        </>
      )}
      {trouble && <Banner tone="bad" role="alert" title={trouble} />}
      {isUndoOpen && (
        <ConfirmDialog
          title="Undo this import?"
          button={state === 'applying' ? 'Stop and undo' : `Take out ${importNoun(kind, counts.new - failed)}`}
          busy="Starting…"
          action={undo}
          onConfirm={() => undo.mutate()}
          onClose={() => setUndoOpen(false)}
        >
          <p>We’ll take out everything this brought in, except what someone’s used or changed since.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
