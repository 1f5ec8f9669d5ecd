import { Button, IconButton } from '#pwa/ui/button.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatDuration } from '#shared/rules/video.ts'

type Props = {
  queue: readonly MemberVideo[]
  /** What else there is to listen to. */
  others: readonly MemberVideo[]
  currentId: string | null
  isDone: (videoId: string) => boolean
  /** Whether there's anything to hear of it here and now. */
  canPlay: (videoId: string) => boolean
  onPlay: (video: MemberVideo) => void
  onChange: (queue: readonly MemberVideo[]) => void
}

/** Right after what's playing, or first of all. */
function withNext(queue: readonly MemberVideo[], video: MemberVideo, currentId: string | null) {
  const others = queue.filter((one) => one !== video)
  return others.toSpliced(others.findIndex(({ id }) => id === currentId) + 1, 0, video)
}

export function ListenQueue({ queue, others, currentId, isDone, canPlay, onPlay, onChange }: Props) {
  return (
    <>
      <section className="sheet account__sheet" aria-labelledby="queue">
        <h2 className="panel__title" id="queue">
          Your queue
        </h2>
        <p className="second">
          {queue.length === 0
            ? 'Nothing here yet. Add a video below.'
            : 'Your next videos are in already. Add or remove any you like.'}
        </p>
        <ol className="account__rows">
          {queue.map((video, index) => (
            <li key={video.id} aria-current={video.id === currentId ? 'true' : undefined}>
              <Words video={video} isDone={isDone(video.id)} />
              <div className="acts">
                {video.id === currentId ? (
                  <span className="second">Now</span>
                ) : (
                  <>
                    {canPlay(video.id) ? (
                      <IconButton icon="play" label={`Play: ${video.title}`} onClick={() => onPlay(video)} />
                    ) : (
                      <span className="second">Needs signal</span>
                    )}
                    {index > 0 && queue[index - 1]?.id !== currentId && (
                      <IconButton
                        icon="arrow"
                        className="listen__next"
                        label={`Play next: ${video.title}`}
                        onClick={() => onChange(withNext(queue, video, currentId))}
                      />
                    )}
                    <IconButton
                      icon="cross"
                      label={`Remove: ${video.title}`}
                      onClick={() => onChange(queue.filter((one) => one !== video))}
                    />
                  </>
                )}
              </div>
            </li>
          ))}
        </ol>
      </section>
      {others.length > 0 && <Others others={others} isDone={isDone} onAdd={(video) => onChange([...queue, video])} />}
    </>
  )
}

type OthersProps = Pick<Props, 'others' | 'isDone'> & { onAdd: (video: MemberVideo) => void }

const Others = ({ others, isDone, onAdd }: OthersProps) => (
  <details className="sheet account__sheet listen__more">
    <summary>
      <h2 className="panel__title">Add a video</h2>
    </summary>
    <ul className="account__rows">
      {others.map((video) => (
        <li key={video.id}>
          <Words video={video} isDone={isDone(video.id)} />
          <Button look="line" isSmall onClick={() => onAdd(video)}>
            Add <span className="vh">{video.title}</span>
          </Button>
        </li>
      ))}
    </ul>
  </details>
)

const Words = ({ video, isDone }: { video: MemberVideo; isDone: boolean }) => (
  <div>
    <b>{video.title}</b>
    <p className="second">
      {video.category} · {formatDuration(video.duration)}
      {isDone && ' · Completed'}
    </p>
  </div>
)
