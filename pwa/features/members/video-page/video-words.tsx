import { useKeptHandouts } from '#pwa/features/members/shelf/use-kept-handouts.ts'
import { ButtonAnchor } from '#pwa/ui/button.tsx'
import type { Handout, VideoText } from '#shared/contract/video.ts'
import { formatBytes } from '#shared/values/media.ts'
import { Transcript } from './transcript.tsx'
import './video-page.css'

type TextsProps = Pick<VideoText, 'notes' | 'transcript' | 'marks'> & {
  onGoTo?: ((seconds: number) => void) | undefined
}

export const VideoTexts = ({ notes, transcript, marks, onGoTo }: TextsProps) => (
  <>
    {notes && (
      <section className="lesson__text" aria-labelledby="lesson-notes">
        <h2 id="lesson-notes">Notes</h2>
        <Paragraphs text={notes} />
      </section>
    )}
    {transcript && <Transcript transcript={transcript} marks={marks} onGoTo={onGoTo} />}
  </>
)

type HandoutProps = { videoId: string; handouts: readonly Handout[]; hasSignal: boolean }

export function VideoHandouts({ videoId, handouts, hasSignal }: HandoutProps) {
  const { isHere, save } = useKeptHandouts(videoId)
  return (
    <section className="lesson__text lesson__handouts" aria-labelledby="lesson-handouts">
      <h2 id="lesson-handouts">Downloads</h2>
      {!hasSignal && !handouts.every(({ address }) => isHere(address)) && <p>You need signal to download these.</p>}
      <ul className="plain">
        {handouts.map(({ title, name, format, bytes, address }) => (
          <li key={address}>
            <ButtonAnchor
              look="line"
              icon="down"
              href={address}
              download={name}
              onClick={(event) => {
                if (hasSignal || !isHere(address)) return
                event.preventDefault()
                save(address, name).catch(reportError)
              }}
              second={`${format.toUpperCase()}, ${formatBytes(bytes)}`}
            >
              {title}
            </ButtonAnchor>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Paragraphs = ({ text }: { text: string }) =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((part, at) => {
      const lines = part.split('\n')
      // Owners may write the same paragraph twice, so its position is part of its key.
      const key = `${at}:${part}`
      return lines.every((line) => line.startsWith('- ')) ? (
        <ul key={key}>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may stand there twice, and has no name but its place
            <li key={index}>{line.slice(2)}</li>
          ))}
        </ul>
      ) : (
        <p key={key}>{part}</p>
      )
    })
