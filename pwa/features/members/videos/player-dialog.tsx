import { useRef, useState } from 'react'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { OutsideFrame } from '#pwa/ui/outside-frame.tsx'
import { OwnPlayer } from '#pwa/ui/own-player.tsx'
import { useLookAddress } from '#pwa/ui/picture.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatDuration, playerAddress } from '#shared/rules/video.ts'
import { readOnlyReason } from './video-row-section.tsx'

type Props = {
  /** The video that is open; null while none is. */
  video: MemberVideo | null
  /** The one after it in the list. */
  next: MemberVideo | null
  isCompleted: boolean
  hasSignal: boolean
  onTick: (videoId: string, completed: boolean) => void
  onWatch: (video: MemberVideo) => void
  onClose: () => void
}

/** The player of one video, its tick and the next video. Nothing of the host loads before this opens. */
export default function PlayerDialog({ video, onClose, ...props }: Props) {
  return (
    <Dialog isOpen={video !== null} onClose={onClose} title={video?.title} isWide>
      {video && <OpenVideo video={video} {...props} />}
    </Dialog>
  )
}

type OpenProps = Omit<Props, 'video' | 'onClose'> & { video: MemberVideo }

const OpenVideo = ({ video, next, isCompleted, hasSignal, onTick, onWatch }: OpenProps) => (
  <>
    <Player key={video.id} video={video} hasSignal={hasSignal} />
    <p className="second">
      {formatDuration(video.duration)} · {isCompleted ? 'Completed' : 'Not completed'}
    </p>
    {video.description && <p>{video.description}</p>}
    <div className="acts">
      <TickButton isCompleted={isCompleted} onTick={() => onTick(video.id, !isCompleted)} />
      {next && (
        <Button look="line" icon="arrow" onClick={() => onWatch(next)}>
          Next: {next.title}
        </Button>
      )}
    </div>
  </>
)

function TickButton({ isCompleted, onTick }: { isCompleted: boolean; onTick: () => void }) {
  const isReadOnly = useIsReadOnly()
  return (
    <Button
      icon={isCompleted ? 'cross' : 'tick'}
      disabled={isReadOnly}
      title={isReadOnly ? readOnlyReason : undefined}
      onClick={onTick}
    >
      {isCompleted ? 'Mark Incomplete' : 'Mark Complete'}
    </Button>
  )
}

/** A player from our own origin would be part of this page, so it is not framed. */
function framedAddress(video: MemberVideo): string | null {
  const address = playerAddress(video)
  return address !== null && new URL(address).origin !== window.location.origin ? address : null
}

function Player({ video, hasSignal }: Pick<OpenProps, 'video' | 'hasSignal'>) {
  // What was loaded plays on from its buffer, so a lost signal takes no player away.
  const hasStarted = useRef(hasSignal)
  const poster = useLookAddress('/pictures/lesson.svg')
  const [usesHost, setUsesHost] = useState(false)
  if (hasSignal) hasStarted.current = true
  const address = framedAddress(video)
  // Phones may hold rows from before there were files.
  const files = usesHost ? [] : (video.files ?? [])
  if (address === null && files.length === 0)
    return <p>This video has no address that can be played here. Please tell the coaches which one it is.</p>
  if (!hasSignal && !hasStarted.current)
    return (
      <div className="player-blank" role="status">
        <Icon name="nosignal" />
        <p>Needs signal. The video starts here when you are back in range; you can tick it off now.</p>
      </div>
    )
  return (
    <>
      {!hasSignal && <p role="status">Needs signal. The video carries on when you are back in range.</p>}
      {files.length > 0 ? (
        <OwnPlayer
          files={files}
          title={video.title}
          poster={poster}
          onUseHost={address === null ? undefined : () => setUsesHost(true)}
        />
      ) : (
        <HostPlayer address={address ?? ''} title={video.title} />
      )}
    </>
  )
}

const HostPlayer = ({ address, title }: { address: string; title: string }) => (
  <>
    <OutsideFrame
      address={address}
      title={title}
      overlay={{ words: 'Loading the player…', ms: 10_000, endsOnLoad: true }}
      direct="Open the video in a new tab"
    />
    <p className="second">If the player stays empty, the video’s host blocks it here: use the link above.</p>
  </>
)
