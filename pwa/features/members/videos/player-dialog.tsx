import { type KeptMarks, useWatched } from '#pwa/features/members/stored/use-shelf.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatDuration } from '#shared/rules/video.ts'
import { TickButton } from './tick-button.tsx'
import { VideoPlayer } from './video-player.tsx'

type Props = {
  video: MemberVideo | null
  next: MemberVideo | null
  isCompleted: boolean
  hasSignal: boolean
  kept: KeptMarks
  onTick: (videoId: string, completed: boolean) => void
  onWatch: (video: MemberVideo) => void
  onClose: () => void
}

/** One video's player, its tick and the next video. Nothing of the host loads before this opens. */
export default function PlayerDialog({ video, onClose, ...props }: Props) {
  return (
    <Dialog isOpen={video !== null} onClose={onClose} title={video?.title} isWide>
      {video && <OpenVideo video={video} {...props} />}
    </Dialog>
  )
}

type OpenProps = Omit<Props, 'video' | 'onClose'> & { video: MemberVideo }

const OpenVideo = ({ video, next, isCompleted, hasSignal, kept, onTick, onWatch }: OpenProps) => (
  <>
    <Player key={video.id} video={video} hasSignal={hasSignal} kept={kept} />
    <p className="second">
      {formatDuration(video.duration)} · {isCompleted ? 'Completed' : 'Not completed'}
    </p>
    {video.description && <p>{video.description}</p>}
    <div className="acts">
      <TickButton
        isCompleted={isCompleted}
        look={isCompleted ? 'line' : 'ink'}
        onTick={() => onTick(video.id, !isCompleted)}
      />
      {next && (
        <Button look={isCompleted ? 'ink' : 'line'} icon="arrow" onClick={() => onWatch(next)}>
          Next: {next.title}
        </Button>
      )}
    </div>
  </>
)

function Player({ video, hasSignal, kept }: Pick<OpenProps, 'video' | 'hasSignal' | 'kept'>) {
  const { keptAddress, carryOn } = useWatched(kept.get(video.id), hasSignal)
  return (
    <VideoPlayer key={keptAddress} video={video} hasSignal={hasSignal} keptAddress={keptAddress} onCarryOn={carryOn} />
  )
}
