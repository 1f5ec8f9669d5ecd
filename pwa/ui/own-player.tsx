import { useCallback, useState } from 'react'
import { mediaTypeAt } from '#shared/rules/media.ts'
import { Button } from './button.tsx'
import './styles/outside-frame.css'

type Props = {
  /** Addresses of our own files; the browser takes the first it can play. */
  files: readonly string[]
  title: string
  poster?: string
  captions?: string | undefined
  /** Called with the browser's player, and with null once it's gone. */
  onElement?: ((element: HTMLVideoElement | null) => void) | undefined
  /** Plays the other host's video instead if ours doesn't load. */
  onUseHost?: (() => void) | undefined
}

/** A video of our own in the browser's own player. Show it only after a click: it starts playing. */
export function OwnPlayer(props: Props) {
  const [attempt, setAttempt] = useState(0)
  return <Attempt key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
}

function Attempt({ files, title, poster, captions, onElement, onUseHost, onRetry }: Props & { onRetry: () => void }) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const fail = () => setState('failed')
  // A video already on this device may be ready before React listens to it.
  const attach = useCallback(
    (element: HTMLVideoElement | null) => {
      onElement?.(element)
      if (element && element.readyState > 0) setState('ready')
    },
    [onElement],
  )
  return (
    <div className="outside">
      <div className="outside__frame">
        {/* biome-ignore lint/a11y/useMediaCaption: public films have none, a lesson's come from its page */}
        <video
          ref={attach}
          controls
          autoPlay
          playsInline
          preload="metadata"
          poster={poster}
          aria-label={title}
          onLoadedMetadata={() => setState('ready')}
          onError={fail}
        >
          {files.map((file, at) => (
            <source
              key={file}
              src={file}
              type={mediaTypeAt(file) ?? undefined}
              onError={at === files.length - 1 ? fail : undefined}
            />
          ))}
          {captions && <track kind="captions" srcLang="en-GB" label="English" src={captions} default />}
        </video>
        {state === 'failed' && (
          <div className="outside__cover" role="status">
            <p>This video hasn’t loaded. Your signal may be too weak.</p>
            <div className="acts">
              <Button isSmall look="line" icon="sync" onClick={onRetry}>
                Try again
              </Button>
              {onUseHost && (
                <Button isSmall look="bare" icon="play" onClick={onUseHost}>
                  Try another player
                </Button>
              )}
            </div>
          </div>
        )}
      </div>
      {state === 'loading' && (
        <p className="second" role="status">
          Loading the video…
        </p>
      )}
    </div>
  )
}
