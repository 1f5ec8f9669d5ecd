import type { ReactNode } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useDesk } from './desk.ts'

/** Of a section's heading, which takes the focus when something in it is done. */
export const sectionId = (name: string) => `billing-${name}`

/** What was pressed is about to make way: the heading above it takes the focus. */
export const focusSection = (name: string) => document.getElementById(sectionId(name))?.focus()

type Props<Data> = {
  name: string
  title: string
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => void }
  children: (data: Data) => ReactNode
}

/** A sheet of the tab: what the server says, or why it is not here. */
export function Section<Data>({ name, title, query, children }: Props<Data>) {
  const id = sectionId(name)
  return (
    <section className={`sheet billing billing--${name}`} aria-labelledby={id}>
      <h2 className="billing__title" id={id} tabIndex={-1}>
        {title}
      </h2>
      {query.data === undefined ? <Missing title={title} query={query} /> : children(query.data)}
    </section>
  )
}

function Missing({ title, query }: Pick<Props<unknown>, 'title' | 'query'>) {
  const { hasSignal } = useDesk()
  const isOffline = query.error instanceof RequestError && query.error.code === 'offline'
  if (!hasSignal || isOffline)
    return (
      <p className="billing__nosignal">
        <Icon name="nosignal" />
        <span>Needs signal</span>
      </p>
    )
  if (query.error)
    return (
      <>
        <p>This could not be loaded. Nothing about your membership has changed.</p>
        <Button look="line" isSmall icon="sync" isBusy={query.isFetching} onClick={() => query.refetch()}>
          Retry
        </Button>
      </>
    )
  return (
    <div className="billing__bones" role="status" aria-label={`Loading: ${title}`}>
      <Skeleton />
      <Skeleton isShort />
    </div>
  )
}
