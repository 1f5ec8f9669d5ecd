import { useId, useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import type { PlaceTarget } from '#pwa/features/admin/kit/part.tsx'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { Import, ImportKindName } from '#shared/contract/imports.ts'
import { freeOf, importNoun, madeNoun, madeOf, onlyStopsOf } from '#shared/rules/imports.ts'
import { plural } from '#shared/rules/plural.ts'
import { allTicked, StripeSteps } from './stripe-choices.tsx'
import { type Reading, useImportAction } from './use-import-action.ts'

/** Where what was moved in is now. */
const placeOf: Record<ImportKindName, PlaceTarget & { children: string }> = {
  members: { place: 'members', search: { show: 'all' }, children: 'See all members' },
  posts: { place: 'blog', children: 'See the posts' },
  lessons: { place: 'videos', children: 'See the videos' },
  stripe: { place: 'members', children: 'See who has access' },
}

type Props = { given: Import; reading: Reading }

export function PlanActions({ given, reading }: Props) {
  const { state } = given
  return (
    <div className="movein__acts">
      {state === 'planned' && <PlannedActions given={given} reading={reading} />}
      {state === 'planning' && <Cancel given={given} />}
      {state === 'applying' && <StopAndUndo given={given} />}
      {state === 'applied' && given.counts.new - given.failed > 0 && <AppliedActions given={given} />}
    </div>
  )
}

const freePeople = (given: Import) => plural(freeOf(given), 'person', 'people')

function mainLabel(given: Import): string {
  const onlyStops = onlyStopsOf(given)
  if (onlyStops !== null) return `Stop campaigns to ${onlyStops}`
  if (given.kind !== 'stripe') return `Move in ${importNoun(given, given.counts.new)}`
  return madeOf(given) === 0 && freeOf(given) > 0 ? `Give ${freePeople(given)} free access` : `Adopt ${madeNoun(given)}`
}

/** What's been changed and not read yet comes first: the plan below it still counts the old choices. */
function PlannedActions({ given, reading }: Props) {
  const { id, kind, counts, problem, options } = given
  const isStripe = kind === 'stripe'
  const [ticked, setTicked] = useState(0)
  const [isAsked, setAsked] = useState(false)
  const why = useId()
  const apply = useImportAction(id, 'apply', () => setAsked(false))
  const hasWork = counts.new > 0 || onlyStopsOf(given) !== null
  const isReady = problem === null && hasWork && !options.rehearses && (!isStripe || ticked === allTicked)
  return (
    <>
      {isStripe && counts.new > 0 && <StripeSteps ticked={ticked} onTick={setTicked} />}
      {reading.isChanged && (
        <>
          <p id={why} className="movein__why">
            You’ve changed something. Read it again to see what that does.
          </p>
          <Button isBusy={reading.isPending} busyLabel="Starting…" onClick={reading.read}>
            Read it again
          </Button>
        </>
      )}
      <Button
        look={reading.isChanged ? 'line' : 'ink'}
        isBusy={apply.isPending}
        busyLabel="Starting…"
        disabled={!isReady || reading.isChanged}
        aria-describedby={reading.isChanged ? why : undefined}
        aria-haspopup={isStripe ? 'dialog' : undefined}
        onClick={() => (isStripe ? setAsked(true) : apply.mutate())}
      >
        {mainLabel(given)}
      </Button>
      <Cancel given={given} />
      {reading.problem && <Banner tone="bad" role="alert" title={reading.problem} />}
      {apply.problem && !isAsked && <Banner tone="bad" role="alert" title={apply.problem} />}
      {isAsked && <AdoptDialog given={given} apply={apply} onClose={() => setAsked(false)} />}
    </>
  )
}

type Action = ReturnType<typeof useImportAction>

function AdoptDialog({ given, apply, onClose }: { given: Import; apply: Action; onClose: () => void }) {
  const free = freeOf(given)
  const made = given.facts.find(({ fact }) => fact === 'account-made')?.count ?? 0
  return (
    <ConfirmDialog
      title={`${mainLabel(given)}?`}
      button={mainLabel(given)}
      busy="Starting…"
      keep="Not yet"
      look="ink"
      action={apply}
      onConfirm={() => apply.mutate()}
      onClose={onClose}
    >
      <ul>
        {madeOf(given) > 0 && <li>{`You take over ${madeNoun(given)}.`}</li>}
        {free > 0 && (
          <li>{`${freePeople(given)} ${free === 1 ? 'gets' : 'get'} free access until the day they’ve paid up to.`}</li>
        )}
        {made > 0 && <li>{`${plural(made, 'person', 'people')} ${made === 1 ? 'gets' : 'get'} an account.`}</li>}
        <li>Everyone’s charged the same, on the same day.</li>
        <li>No one’s emailed.</li>
      </ul>
    </ConfirmDialog>
  )
}

function Cancel({ given: { id } }: { given: Import }) {
  const cancel = useImportAction(id, 'cancel')
  return (
    <>
      <Button look="line" isBusy={cancel.isPending} busyLabel="Cancelling…" onClick={() => cancel.mutate()}>
        Cancel
      </Button>
      {cancel.problem && <Banner tone="bad" role="alert" title={cancel.problem} />}
    </>
  )
}

/** Asks nothing: while an owner read a question, the rest would be moved in. */
function StopAndUndo({ given: { id } }: { given: Import }) {
  const undo = useImportAction(id, 'undo')
  return (
    <>
      <Button look="line" isBusy={undo.isPending} busyLabel="Stopping…" onClick={() => undo.mutate()}>
        Stop and undo
      </Button>
      {undo.problem && <Banner tone="bad" role="alert" title={undo.problem} />}
    </>
  )
}

function AppliedActions({ given }: { given: Import }) {
  const { id, kind } = given
  const [isOpen, setOpen] = useState(false)
  const undo = useImportAction(id, 'undo', () => setOpen(false))
  const isStripe = kind === 'stripe'
  return (
    <>
      <Button look="line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Undo
      </Button>
      <PlaceLink {...placeOf[kind]} />
      {isOpen && (
        <ConfirmDialog
          title="Undo this import?"
          button={`${isStripe ? 'Let go of' : 'Take out'} ${madeNoun(given)}`}
          busy="Starting…"
          action={undo}
          onConfirm={() => undo.mutate()}
          onClose={() => setOpen(false)}
        >
          <p>
            {isStripe
              ? 'They carry on in Stripe. Free access this gave ends too. What’s been used or changed since stays.'
              : 'We’ll take out everything this brought in, except what someone’s used or changed since.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
