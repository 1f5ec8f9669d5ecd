import { type ReactNode, useEffect, useRef } from 'react'
import { UntilWeakLine } from '#pwa/features/chrome/until-weak.tsx'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { isUnknown } from '#pwa/lib/until-known.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useBillingContext } from './use-billing-context.tsx'
import { type SectionName, sectionId } from './use-section-focus.ts'

type Props<Data> = {
  name: SectionName
  title: string
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => void }
  /** What's there without signal instead, if anything is. */
  withoutSignal?: ReactNode
  children: (data: Data) => ReactNode
}

export function BillingSection<Data>({ name, title, query, withoutSignal, children }: Props<Data>) {
  const id = sectionId(name)
  return (
    <section className={`sheet billing billing--${name}`} aria-labelledby={id}>
      <h2 className="billing__title" id={id} tabIndex={-1}>
        {title}
      </h2>
      {query.data === undefined ? (
        <MissingData title={title} query={query} withoutSignal={withoutSignal} />
      ) : (
        children(query.data)
      )}
    </section>
  )
}

function MissingData({ title, query, withoutSignal }: Pick<Props<unknown>, 'title' | 'query' | 'withoutSignal'>) {
  const { hasSignal } = useBillingContext()
  const hasNoSignal = isOffline(query.error)
  if (!hasSignal || hasNoSignal)
    return (
      withoutSignal ?? (
        <p className="billing__nosignal">
          <Icon name="nosignal" />
          <span>Needs signal</span>
        </p>
      )
    )
  if (query.error)
    return (
      <>
        <p>We couldn’t load this. Your membership hasn’t changed.</p>
        <Button look="line" isSmall icon="sync" isBusy={query.isFetching} onClick={() => query.refetch()}>
          Retry
        </Button>
      </>
    )
  return (
    <UntilWeakLine
      skeleton={
        <div className="billing__skeleton" role="status" aria-label={`Loading: ${title}`}>
          <Skeleton />
          <Skeleton isShort />
        </div>
      }
    />
  )
}

type OnlineButtonProps = {
  label: string
  onClick: () => void
  icon?: 'undo'
  isBusy?: boolean
  busyLabel?: string
}

export function OnlineButton({ label, icon, ...rest }: OnlineButtonProps) {
  const { hasSignal } = useBillingContext()
  return (
    <Button look="line" isSmall icon={hasSignal ? icon : 'nosignal'} disabled={!hasSignal} {...rest}>
      {hasSignal ? label : 'Needs signal'}
    </Button>
  )
}

/** Why an action failed, in the server's words, scrolled into view next to the pressed button. */
export function ErrorBanner({ title, error }: { title: string; error: Error | null }) {
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) banner.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  return (
    error && (
      <div ref={banner}>
        <Banner tone="bad" role="alert" title={isUnknown(error) ? 'We’re still checking' : title}>
          {messageOf(error, 'Something went wrong and nothing’s changed. Try again.')}
        </Banner>
      </div>
    )
  )
}

export const ReadOnlyBanner = () => (
  <Banner icon="eye" title="You’re viewing as this member">
    You can look, but you can’t change anything.
  </Banner>
)
