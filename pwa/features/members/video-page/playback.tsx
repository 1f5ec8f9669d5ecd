import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { captionsOf, keptVideoAddress, useWatched } from '#pwa/features/members/stored/use-shelf.ts'
import { VideoPlayer } from '#pwa/features/members/videos/video-player.tsx'
import { useLookAddress } from '#pwa/lib/picture-source.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import type { KeptMark } from '#pwa/sync/progress/status.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import type { MemberVideo, VideoText } from '#shared/contract/video.ts'
import { formatPosition } from '#shared/rules/video.ts'
import { useHostPlayback } from './use-host-playback.ts'
import { useMediaSession, usePlayback, usePlaybackPosition } from './use-playback.ts'
import { speeds, useSpeed } from './use-speed.ts'

type Props = {
  video: MemberVideo
  previous: MemberVideo | null
  next: MemberVideo | null
  text: VideoText | null | undefined
  /** Where the member stopped, in seconds. */
  stoppedAt: number
  isCompleted: boolean
  hasSignal: boolean
  /** What this phone has of it. */
  kept: KeptMark | undefined
  wanted: WantedSecond | null
  onNearlyDone: () => void
  /** The second it stands at, as it plays. The same function at each render. */
  onStand: (seconds: number) => void
}

/** A second that a line of the transcript leads to: a new object at each tap. */
export type WantedSecond = { seconds: number }

export function Playback(props: Props) {
  const { video, next, stoppedAt, isCompleted, hasSignal, kept, wanted } = props
  const isHosted = !video.files
  const [startAt, setStartAt] = useState<number | null>(null)
  useEffect(() => {
    // A host's player only begins somewhere, so it begins again.
    if (wanted !== null) setStartAt((current) => (current === null || isHosted ? wanted.seconds : current))
  }, [wanted, isHosted])
  const still = useLookAddress('/pictures/lesson.svg')
  if (startAt !== null) return <PlayingVideo key={isHosted ? startAt : 'own'} {...props} startAt={startAt} />
  if (!hasSignal && !keptVideoAddress(kept))
    return (
      <div className="player-blank" role="status">
        <Icon name="nosignal" />
        <p>
          You need signal to watch this.
          {(props.text?.notes || props.text?.transcript) && ' You can still read what’s below.'}
        </p>
      </div>
    )
  return (
    <div className="film__start">
      {/* For a thumb or a mouse: a keyboard has the button below. */}
      <button className="film__still" type="button" tabIndex={-1} aria-hidden onClick={() => setStartAt(stoppedAt)}>
        <img className="picture" src={still} alt="" />
      </button>
      <div className="acts">
        <Button look={isCompleted && next ? 'line' : 'ink'} icon="play" onClick={() => setStartAt(stoppedAt)}>
          {stoppedAt > 0 ? `Resume at ${formatPosition(stoppedAt)}` : 'Play'}
        </Button>
        {stoppedAt > 0 && (
          <Button look="line" icon="undo" onClick={() => setStartAt(0)}>
            Start again
          </Button>
        )}
      </div>
    </div>
  )
}

type PlayingProps = Props & { startAt: number }

function PlayingVideo({ video, previous, next, text, startAt, hasSignal, kept, wanted, ...end }: PlayingProps) {
  const [element, setElement] = useState<HTMLVideoElement | null>(null)
  const { keptAddress, carryOn } = useWatched(kept, hasSignal)
  const [from, setFrom] = useState(startAt)
  const [captions] = useState(() => captionsOf(video.id, kept, hasSignal))
  const { isNearlyDone, writer } = usePlayback(video.id, end.onStand)
  const nearlyDone = useEffectEvent(end.onNearlyDone)
  useEffect(() => {
    if (isNearlyDone) nearlyDone()
  }, [isNearlyDone])
  usePlaybackPosition(element, from, writer)
  const host = useHostPlayback(startAt, writer)
  useWantedSecond(element, wanted)
  const { brand } = useSiteContent()
  useMediaSession(element, {
    title: video.title,
    artist: brand.name,
    album: video.category,
    onPrevious: useOpenVideo(previous),
    onNext: useOpenVideo(next),
  })
  return (
    <div className="lesson__film">
      <VideoPlayer
        key={keptAddress}
        video={video}
        hasSignal={hasSignal}
        captions={text?.hasCaptions ? captions : undefined}
        keptAddress={keptAddress}
        onCarryOn={
          carryOn &&
          (() => {
            setFrom(element?.currentTime ?? from)
            carryOn()
          })
        }
        onElement={setElement}
        host={host}
      />
      {element && <PlaybackControls element={element} />}
      {isNearlyDone && !end.isCompleted && <Banner role="status" title="You’ve watched nearly all of it" />}
    </div>
  )
}

function useWantedSecond(element: HTMLVideoElement | null, wanted: WantedSecond | null): void {
  useEffect(() => {
    if (element === null || wanted === null) return
    element.scrollIntoView({ block: 'nearest' })
    if (element.readyState > 0) element.currentTime = wanted.seconds
    // Where the browser wants a press first, its own button is there.
    element.play().catch(() => {})
  }, [element, wanted])
}

/** Null if there's none; the function stays the same for the same video. */
function useOpenVideo(video: MemberVideo | null): (() => void) | null {
  const navigate = useNavigate()
  const slug = video?.slug
  const open = useCallback(() => {
    if (slug) navigate({ to: '/members/videos/$slug', params: { slug } })
  }, [navigate, slug])
  return slug ? open : null
}

/** What the browser's own controls lack or hide in a menu. */
function PlaybackControls({ element }: { element: HTMLVideoElement }) {
  const { speed, choose } = useSpeed(element)
  return (
    <div className="film__controls">
      <label>
        Speed
        <select value={speed} onChange={({ target }) => choose(Number(target.value))}>
          {speeds.map((one) => (
            <option key={one} value={one}>
              {one} ×
            </option>
          ))}
        </select>
      </label>
      {document.pictureInPictureEnabled && (
        <Button look="line" isSmall icon="ext" onClick={() => void togglePictureInPicture(element).catch(() => {})}>
          Small window
        </Button>
      )}
    </div>
  )
}

/** The browser may refuse, such as before the video has loaded; then it plays on in place. */
const togglePictureInPicture = async (element: HTMLVideoElement) =>
  document.pictureInPictureElement ? document.exitPictureInPicture() : void (await element.requestPictureInPicture())
