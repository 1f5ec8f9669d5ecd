import { useEffect, useRef } from 'react'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'

type Props = { title: string; error: Error | null }

/** Why something was not done, in the server's words, where it was asked for. */
export function Refused({ title, error }: Props) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) place.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  return (
    error && (
      <div ref={place}>
        <Banner tone="bad" role="alert" title={title}>
          {messageOf(error, 'Something went wrong. Nothing has changed. Please try again.')}
        </Banner>
      </div>
    )
  )
}
