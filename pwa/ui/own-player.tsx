import { useCallback, useState } from 'react'
import { mediaTypeAt } from '#shared/values/media.ts'
import { Button } from './button.tsx'
import './styles/outside-embed.css'

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
export function OwnPlayer({ files, ...props }: Props) {
  const [{ attempt, first }, setAttempt] = useState({ attempt: 0, first: 0 })
  return (
    <Attempt
      key={attempt}
      {...props}
      files={files.slice(first)}
      onRetry={(skipped) => setAttempt({ attempt: attempt + 1, first: skipped === 0 ? 0 : first + skipped })}
    />
  )
}

const failures = {
  failed: 'This video hasn’t loaded. Your signal may be too weak.',
  black: 'We can’t show this video on this device. Tell us which video it is.',
}

type AttemptProps = Props & {
  /** Without its first files, which have no picture here; with all of them if it's none. */
  onRetry: (skipped: number) => void
}

function Attempt({ files, title, poster, captions, onElement, onUseHost, onRetry }: AttemptProps) {
  const [state, setState] = useState<'loading' | 'ready' | keyof typeof failures>('loading')
  const fail = () => setState('failed')
  /** A browser that doesn't know a video's codec plays its sound to a black picture, and reports no error. */
  const start = (element: HTMLVideoElement) => {
    const at = files.findIndex((file) => element.currentSrc.endsWith(file))
    if (element.videoWidth > 0 || !/^video/.test(mediaTypeAt(files[at] ?? '') ?? '')) setState('ready')
    else if (at + 1 < files.length) onRetry(at + 1)
    else {
      element.pause()
      setState('black')
    }
  }
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
        {/* biome-ignore lint/a11y/useMediaCaption: public videos have none, a member's come from their page */}
        <video
          ref={attach}
          controls
          autoPlay
          playsInline
          preload="metadata"
          poster={poster}
          aria-label={title}
          onLoadedMetadata={({ currentTarget }) => start(currentTarget)}
          onPlaying={({ currentTarget }) => start(currentTarget)}
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
        {(state === 'failed' || state === 'black') && (
          <Failure why={failures[state]} onRetry={() => onRetry(0)} onUseHost={onUseHost} />
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

type FailureProps = Pick<Props, 'onUseHost'> & { why: string; onRetry: () => void }

const Failure = ({ why, onRetry, onUseHost }: FailureProps) => (
  <div className="outside__cover" role="status">
    <p>{why}</p>
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
)
