import { useCallback, useEffect, useState } from 'react'
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
}

/** What the other site may do: run and open windows, and nothing to this one. */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-presentation allow-popups allow-popups-to-escape-sandbox'
const allow = 'autoplay; fullscreen; picture-in-picture; encrypted-media'

/** A page of another site inside ours. Show it only after a click: from then on that site knows of the visitor. */
export function OutsideFrame({ address, title, height, overlay, direct }: Props) {
  const [isCovered, setCovered] = useState(overlay !== undefined)
  const overlayMs = overlay?.ms
  useEffect(() => {
    if (overlayMs === undefined) return
    const timer = setTimeout(() => setCovered(false), overlayMs)
    return () => clearTimeout(timer)
  }, [overlayMs])
  // React itself listens to no errors of frames.
  const watch = useCallback(
    (frame: HTMLIFrameElement) => {
      const fail = () => {
        console.warn(`${title} could not be loaded.`)
        setCovered(false)
      }
      frame.addEventListener('error', fail)
      return () => frame.removeEventListener('error', fail)
    },
    [title],
  )
  return (
    <div className="outside">
      <div className={height ? `outside__frame outside__frame--${height}` : 'outside__frame'}>
        <iframe
          ref={watch}
          src={address}
          title={title}
          sandbox={sandbox}
          allow={allow}
          referrerPolicy="strict-origin-when-cross-origin"
          onLoad={() => overlay?.endsOnLoad && setCovered(false)}
        />
        {isCovered && (
          <p className="outside__cover" role="status">
            {overlay?.words}
          </p>
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
