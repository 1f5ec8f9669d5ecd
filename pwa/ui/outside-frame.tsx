import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { TextAnchor } from './link.tsx'
import './styles/outside-frame.css'

type Props = {
  address: string
  /** Names the frame for screen readers. */
  title: string
  /** Pixels; without it the frame is 16 to 9, as videos are. */
  height?: 600 | 800
  /** Shown over the frame for so long. */
  overlay?: { words: string; ms: number; endsOnLoad?: boolean }
  /** The text of the link that opens the address in a tab of its own. */
  direct?: string
  /** Called with the frame, and with null once it has gone. */
  onFrame?: ((frame: HTMLIFrameElement | null) => void) | undefined
}

/** What the other site may do: run and open windows, and nothing to this one. */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-presentation allow-popups allow-popups-to-escape-sandbox'
const allow = 'autoplay; fullscreen; picture-in-picture; encrypted-media'

/** How long a frame may take. One that never answers fires neither `load` nor `error`. */
const patienceMs = 10_000

/**
 * A page of another site inside ours. Show it only after a click: from then on that site knows of the visitor. A host that
 * refuses to be framed fires `load` like any other, so the link to its own tab stays beside it.
 */
export function OutsideFrame(props: Props) {
  const [attempt, setAttempt] = useState(0)
  return <Attempt key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
}

function Attempt({ address, title, height, overlay, direct, onFrame, onRetry }: Props & { onRetry: () => void }) {
  const [isCovered, setCovered] = useState(overlay !== undefined)
  const [state, setState] = useState<'loading' | 'loaded' | 'unanswered'>('loading')
  useTimer(overlay?.ms, () => setCovered(false))
  useTimer(state === 'loading' ? patienceMs : undefined, () => {
    console.warn(`${title} could not be loaded.`)
    setState('unanswered')
    setCovered(false)
  })
  const onLoad = () => {
    setState('loaded')
    if (overlay?.endsOnLoad) setCovered(false)
  }
  return (
    <div className="outside">
      <div className={height ? `outside__frame outside__frame--${height}` : 'outside__frame'}>
        <iframe
          ref={onFrame}
          src={address}
          title={title}
          sandbox={sandbox}
          allow={allow}
          referrerPolicy="strict-origin-when-cross-origin"
          onLoad={onLoad}
        />
        {isCovered && (
          <p className="outside__cover" role="status">
            {overlay?.words}
          </p>
        )}
        {state === 'unanswered' && (
          <div className="outside__cover" role="status">
            <p>This hasn’t loaded. Your signal may be too weak.</p>
            <Button isSmall look="line" icon="sync" onClick={onRetry}>
              Try again
            </Button>
          </div>
        )}
      </div>
      {direct && (
        <TextAnchor isTap href={address} target="_blank" rel="noreferrer">
          {direct}
        </TextAnchor>
      )}
    </div>
  )
}

/** Runs once after so many milliseconds; never where none are given. */
function useTimer(ms: number | undefined, run: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it runs may change with each render, the time may not
  useEffect(() => {
    if (ms === undefined) return
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }, [ms])
}
