import { lazy, Suspense, useEffect, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { CallKind } from '#shared/contract/call-kind.ts'
import '#pwa/ui/styles/outside-embed.css'
import './calendar.css'

const CallPicker = lazy(() => loadFile(() => import('./call-picker.tsx')))

type Props = {
  kind: CallKind
  /** One coach's calendar; without it, that of all coaches who take such calls. */
  coach?: string | undefined
  title: string
  height: 600 | 800
  /** Covers it for this long. */
  overlay: { words: string; ms: number; endsOnLoad?: boolean }
  onDone?: (isDone: boolean) => void
}

/** Our own calendar in the place of an external iframe: at least as tall, and covered for as long. */
export function OwnCalendar({ kind, coach, title, height, overlay, onDone }: Props) {
  const { words, ms, endsOnLoad = false } = overlay
  const [isCovered, setCovered] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setCovered(false), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return (
    <div className={`outside__frame outside__frame--${height}`}>
      <section className="owncal" aria-label={title} inert={isCovered}>
        <Suspense>
          <CallPicker
            kind={kind}
            coach={coach}
            onLoad={endsOnLoad ? () => setCovered(false) : undefined}
            onDone={onDone}
          />
        </Suspense>
      </section>
      {isCovered && (
        <p className="outside__cover" role="status">
          {words}
        </p>
      )}
    </div>
  )
}

export const ownAddress = (kind: CallKind, coach?: string): string => {
  if (kind === 'coaching') return `/book-call?coach=${coach ?? ''}`
  if (kind === 'catch-up') return `/catch-up?coach=${coach ?? ''}`
  return `/book-call?for=${kind}`
}
