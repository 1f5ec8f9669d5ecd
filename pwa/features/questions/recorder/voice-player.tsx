import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { clockLength, spokenLength } from './recorder-texts.ts'
import './recorder.css'

export type VoiceSource = {
  /** The bytes, or the address they're at. Null while they come. */
  source: Blob | string | null
  /** Of an address: what the bytes are. */
  type?: string | null
  /** Our own: a recorded file names none. Null while the server doesn't know it either. */
  ms: number | null
}

type Props = VoiceSource & {
  /** Whose it is: "your voice note". */
  label: string
  /** The focus comes here when what was pressed has gone. */
  isNext?: boolean
  /** Who can’t play it saves it under this name. */
  fileName?: string
  device?: 'phone' | 'computer'
}

/** Plays a voice note. A browser that can’t play it says so, and gives the file instead. */
export function VoicePlayer(props: Props) {
  const { source, type, ms, label, isNext, fileName = 'voice-note', device = 'phone' } = props
  const address = useAddress(source)
  const kind = (source instanceof Blob ? source.type : type) || null
  const [hasFailed, setFailed] = useState(false)
  if (address === null)
    return (
      <p className="second">
        {label}: {ms === null ? 'loading' : clockLength(ms)}
      </p>
    )
  return !hasFailed && canPlay(kind) ? (
    <Player address={address} ms={ms} label={label} isNext={isNext} onFailed={() => setFailed(true)} />
  ) : (
    <div className="voice__other">
      <p>This {device} can’t play it. Save the file and open it in another app.</p>
      <ButtonAnchor
        look="line"
        isSmall
        icon="down"
        href={address}
        download={`${fileName}.${kind?.includes('mp4') ? 'm4a' : 'webm'}`}
        {...(isNext ? { 'data-next': true } : {})}
      >
        Save the file
      </ButtonAnchor>
    </div>
  )
}

const canPlay = (type: string | null) => type === null || document.createElement('audio').canPlayType(type) !== ''

/** An address of this page for bytes. It's let go of with the part that shows them. */
function useAddress(source: VoiceSource['source']): string | null {
  const [made, setMade] = useState<string | null>(null)
  useEffect(() => {
    if (!(source instanceof Blob)) return
    const address = URL.createObjectURL(source)
    setMade(address)
    return () => URL.revokeObjectURL(address)
  }, [source])
  return source instanceof Blob ? made : source
}

type PlayerProps = Pick<Props, 'ms' | 'label' | 'isNext'> & { address: string; onFailed: () => void }

function Player({ address, ms, label, isNext, onFailed }: PlayerProps) {
  const audio = useRef<HTMLAudioElement>(null)
  const id = useId()
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [found, setFound] = useState<number | null>(null)
  const length = ms ?? found
  const listeners = useMemo(
    () => ({
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onEnded: () => {
        setPlaying(false)
        setAt(0)
      },
    }),
    [],
  )
  const toggle = () => {
    const element = audio.current
    if (element === null) return
    if (isPlaying) element.pause()
    else element.play().catch((error: unknown) => isUnplayable(error) && onFailed())
  }
  const seek = (to: number) => {
    setAt(to)
    if (audio.current) audio.current.currentTime = to / 1000
  }
  return (
    <div className="voice__player">
      <audio
        ref={audio}
        src={address}
        preload="metadata"
        onLoadedMetadata={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration)) setFound(currentTarget.duration * 1000)
        }}
        onTimeUpdate={({ currentTarget }) => setAt(Math.min(currentTarget.currentTime * 1000, length ?? Infinity))}
        onError={({ currentTarget }) => currentTarget.error?.code !== MediaError.MEDIA_ERR_NETWORK && onFailed()}
        {...listeners}
      />
      <Button
        look="line"
        isSmall
        icon={isPlaying ? undefined : 'play'}
        aria-label={`${isPlaying ? 'Pause' : 'Play'} ${label}`}
        onClick={toggle}
        {...(isNext ? { 'data-next': true } : {})}
      >
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <input
        id={id}
        className="voice__seek"
        type="range"
        min={0}
        max={Math.max(length ?? 0, 1)}
        step={1000}
        value={Math.min(at, length ?? 0)}
        aria-label={`Position in ${label}`}
        aria-valuetext={length === null ? spokenLength(at) : `${spokenLength(at)} of ${spokenLength(length)}`}
        onChange={({ target }) => seek(Number(target.value))}
      />
      <span className="voice__length">
        {length === null ? clockLength(at) : clockLength(isPlaying || at > 0 ? at : length)}
      </span>
    </div>
  )
}

/** A browser that wants another press first isn't one that can't play it. */
const isUnplayable = (error: unknown) => error instanceof DOMException && error.name === 'NotSupportedError'
