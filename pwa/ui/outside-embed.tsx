import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { TextAnchor } from './link.tsx'
import './styles/outside-embed.css'

type Props = {
  address: string
  title: string
  /** Pixels; without it the iframe is 16 to 9, as videos are. */
  height?: 600 | 800
  /** Covers the iframe for this long. */
  overlay?: { words: string; ms: number; endsOnLoad?: boolean }
  direct?: string
  /** Called with the iframe, and with null once it's gone. */
  onIframe?: ((iframe: HTMLIFrameElement | null) => void) | undefined
}

/** The other site may run and open windows, but do nothing to this page. */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-presentation allow-popups allow-popups-to-escape-sandbox'
const allow = 'autoplay; fullscreen; picture-in-picture; encrypted-media'

/** How long we wait for an iframe. One that never responds fires neither `load` nor `error`. */
const patienceMs = 10_000

/**
 * Another site's page inside ours. Show it only after a click: from then on that site knows about the visitor. A host that refuses
 * to be framed still fires `load`, so the link to its own tab stays next to it.
 */
export function OutsideEmbed(props: Props) {
  const [attempt, setAttempt] = useState(0)
  return <Attempt key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
}

function Attempt({ address, title, height, overlay, direct, onIframe, onRetry }: Props & { onRetry: () => void }) {
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
          ref={onIframe}
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

/** Runs once after this many milliseconds; never if it's undefined. */
function useTimer(ms: number | undefined, run: () => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it runs may change with each render, the time may not
  useEffect(() => {
    if (ms === undefined) return
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }, [ms])
}
