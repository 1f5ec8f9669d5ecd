import { Fragment, useMemo } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import type { VideoText } from '#shared/contract/video.ts'
import { formatPosition } from '#shared/rules/video.ts'
import { linesOf, type TranscriptLine } from '#shared/values/captions.ts'

type Props = {
  transcript: string
  marks: VideoText['marks']
  /** Plays the video from there; without it the transcript is only to be read. */
  onGoTo: ((seconds: number) => void) | undefined
}

export function Transcript({ transcript, marks, onGoTo }: Props) {
  const paragraphs = useMemo(() => linesOf(transcript, onGoTo && marks), [transcript, marks, onGoTo])
  const hasTimes = paragraphs.some((lines) => lines.some(({ from }) => from !== null))
  return (
    <details className="lesson__text transcript">
      <summary>
        <h2>Transcript</h2>
      </summary>
      {hasTimes && <p className="second">Tap a line to play from there.</p>}
      {paragraphs.map((lines, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a paragraph may stand there twice, and has no name but its place
        <Paragraph key={at} lines={lines} onGoTo={onGoTo} />
      ))}
    </details>
  )
}

function Paragraph({ lines, onGoTo }: { lines: readonly TranscriptLine[] } & Pick<Props, 'onGoTo'>) {
  const first = lines.find(({ from }) => from !== null)?.from ?? null
  return (
    <p>
      {first !== null && onGoTo && (
        <Button look="bare" isSmall onClick={() => onGoTo(first)}>
          <span className="vh">Play from </span>
          {formatPosition(first)}
        </Button>
      )}
      {lines.map(({ from, words }) =>
        from === null || onGoTo === undefined ? (
          `${words} `
        ) : (
          // The paragraph's own button is the stop for Tab: a video has hundreds of lines. A button drops a space at its end.
          <Fragment key={from}>
            <button type="button" className="transcript__line" tabIndex={-1} onClick={() => onGoTo(from)}>
              {words}
            </button>{' '}
          </Fragment>
        ),
      )}
    </p>
  )
}
