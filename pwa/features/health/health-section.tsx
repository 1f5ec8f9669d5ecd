import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { IconName } from '#pwa/ui/icon-paths.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { Health } from '#shared/contract/health.ts'
import { type HealthLevel, healthLevel } from '#shared/rules/health.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { History } from './health-history.tsx'
import { HealthSkeleton, healthSummaries, partsOf } from './health-skeleton.tsx'
import { useHealth } from './queries.ts'

/** The server's report, or its last one if it no longer responds; `children` are more tests. */
const HealthSection = ({ children }: { children: ReactNode }) => {
  const { health, isError, isFetching, fetchNow } = useHealth()
  const toast = useToast()
  const test = async () => {
    try {
      const { status } = await fetchNow()
      toast({ title: 'The health API is up', description: `Status: ${status}`, tone: 'ok' })
    } catch {
      toast({ ...systemError, tone: 'bad' })
    }
  }
  return (
    <div className="health">
      {isError && (
        <Banner tone="bad" role="alert" title={systemError.title}>
          <p>
            {systemError.description}
            {health && '. This is what it last told us.'}
          </p>
        </Banner>
      )}
      {health ? <Report health={health} /> : !isError && <HealthSkeleton />}
      <div className="acts">
        <Button icon="sync" isBusy={isFetching && !health} onClick={test}>
          Test the health API
        </Button>
        {children}
      </div>
      <History />
    </div>
  )
}

const systemError = { title: 'System Error', description: 'Unable to connect to server' }

const Report = ({ health: { status, timestamp, services } }: { health: Health }) => (
  <>
    <p className="health__whole">
      <span className="display caps">{healthSummaries[status]}</span>
      <Badge tone={status === 'ok' ? 'ok' : 'bad'} icon={status === 'ok' ? 'tick' : 'cross'}>
        {status}
      </Badge>
    </p>
    <dl className="health__parts">
      {partsOf(services).map(({ part, name, word }) => (
        <div key={part}>
          <dt>{name}</dt>
          <dd>
            <Word word={word} />
          </dd>
        </div>
      ))}
    </dl>
    <p className="second num">
      Last check: {formatLongDate(timestamp)}, <time dateTime={timestamp}>{clock.format(new Date(timestamp))}</time>
    </p>
  </>
)

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

const tones: Record<HealthLevel, BadgeTone> = { good: 'ok', bad: 'bad', warning: 'open' }
const icons: Record<HealthLevel, IconName> = { good: 'tick', bad: 'cross', warning: 'warn' }

const Word = ({ word }: { word: string }) => {
  const level = healthLevel(word)
  return (
    <Badge tone={tones[level]} icon={icons[level]}>
      {word}
    </Badge>
  )
}

export default HealthSection
