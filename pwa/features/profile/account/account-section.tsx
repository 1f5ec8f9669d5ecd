import { type ReactNode, useId } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { UntilWeakLine } from '#pwa/features/chrome/until-weak.tsx'
import { isOffline } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'

/** Who’s logged in, as the server says. */
export type AccountProps = { session: AuthSession; user: SessionUser }

type Props<Data> = {
  title: string
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => void }
  children: (data: Data) => ReactNode
}

export function AccountSection<Data>({ title, query, children }: Props<Data>) {
  const id = useId()
  return (
    <section className="sheet account__sheet" aria-labelledby={id}>
      <h2 className="panel__title" id={id}>
        {title}
      </h2>
      {query.data === undefined ? <Missing title={title} query={query} /> : children(query.data)}
    </section>
  )
}

function Missing({ title, query }: Pick<Props<unknown>, 'title' | 'query'>) {
  if (query.error === null)
    return (
      <UntilWeakLine
        skeleton={
          <div role="status" aria-label={`Loading: ${title}`}>
            <Skeleton />
            <Skeleton isShort />
          </div>
        }
      />
    )
  const hasNoSignal = isOffline(query.error)
  return (
    <>
      <p>{hasNoSignal ? 'You need signal for this.' : 'We couldn’t load this.'}</p>
      <Button look="line" isSmall icon="sync" isBusy={query.isFetching} onClick={() => query.refetch()}>
        Retry
      </Button>
    </>
  )
}
