import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { OfficeTools } from '#pwa/features/admin/frame/menu/office-tools.tsx'
import { mrrQuery } from '#pwa/features/admin/queries.ts'
import { UnknownPage } from '#pwa/features/chrome/unknown-page.tsx'
import { deviceStorage, ownersDeviceKey } from '#pwa/lib/storage.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { Tape } from '#pwa/ui/tape.tsx'
import { MorePlaces, PlaceTabs } from './place-links.tsx'
import { firstPlace, menuPlaces, places } from './places.ts'
import { RevenueCard } from './revenue-card.tsx'
import './admin.css'

const SetupSection = lazy(() => import('#pwa/features/admin/today/setup/setup.tsx'))

export default function AdminFrame({ place }: { place: string }) {
  const open = Object.hasOwn(places, place) ? places[place] : undefined
  useEffect(() => deviceStorage.setItem(ownersDeviceKey, 'yes'), [])
  if (open === undefined) return <UnknownPage />
  const { Section } = open
  return (
    <>
      <div className="office">
        <div className="wrap">
          <div>
            <p className="label">For owners only</p>
            <h1>ADMIN</h1>
          </div>
          <OfficeTools places={menuPlaces} />
          <ButtonLink to="/" isSmall icon="arrow">
            Back to Site
          </ButtonLink>
        </div>
      </div>
      <div className="wrap board">
        {place === firstPlace && (
          <Suspense fallback={null}>
            <SetupSection />
          </Suspense>
        )}
        <div className={place === firstPlace ? 'board__heads' : 'board__heads board__heads--narrow'}>
          <TargetCard />
          <RevenueCard />
        </div>
        <div>
          <MorePlaces place={place} />
          <PlaceTabs place={place} />
          <div className="panel">
            <Suspense fallback={<Skeleton size="block" />}>
              <Section />
            </Suspense>
          </div>
        </div>
      </div>
    </>
  )
}

/** The two owners don’t count towards the target. */
function TargetCard() {
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
            <span className="second">paying customers, without the two owner accounts</span>
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
