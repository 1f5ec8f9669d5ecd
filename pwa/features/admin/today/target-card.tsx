import { useQuery } from '@tanstack/react-query'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { mrrQuery } from '#pwa/features/admin/kit/queries.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { Tape } from '#pwa/ui/tape.tsx'

/** Owners don’t count towards the target. */
export function TargetCard() {
  const { data, error, isFetching, refetch } = useQuery(mrrQuery)
  const target = data?.target
  const percent = target ? Math.round((target.customers / target.goal) * 100) : null
  return (
    <section className="sheet sheet--stack target" aria-labelledby="target">
      <div className="board__top">
        <h2 className="label" id="target">
          Customer target
        </h2>
        <span className="label">{percent !== null && `${percent}%`}</span>
      </div>
      {target ? (
        <>
          <p className="target__n">
            <span className="fig">{target.customers}</span>
            <span className="target__of">of {target.goal}</span>
            <span className="second">paying customers, not counting owners</span>
          </p>
          {target.customers >= target.goal && <Stamp>Target achieved</Stamp>}
          <Tape
            label="Customer target"
            value={Math.min(target.customers, target.goal)}
            max={target.goal}
            major={10}
            minor={1}
            isLong
            hasNumbers
          />
          <p>
            <PlaceLink place="members" search={{ show: 'paying' }}>
              See who’s paying
            </PlaceLink>
          </p>
        </>
      ) : error ? (
        <>
          <p>We couldn’t load the target.</p>
          <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
            Try again
          </Button>
        </>
      ) : (
        <Skeleton size="figure" />
      )}
    </section>
  )
}
