import { TextAnchor } from '#pwa/ui/link.tsx'
import type { PodcastText } from '#shared/contract/texts/podcast.ts'
import { episodeAnchor } from '#shared/rules/episode-anchor.ts'
import { splitAddresses } from '#shared/rules/linked-text.ts'
import { mediaTypeAt } from '#shared/values/media.ts'
import './episodes.css'

type Episode = PodcastText['episodes']['list'][number]

/** Not the rule for members' videos, because it would make a public page load the members' code. */
const lengthText = (seconds: number) => (seconds < 60 ? `${seconds} sec` : `${Math.round(seconds / 60)} min`)

/** None for a later one with the same sound: an id is of one element. */
function anchorIn(episodes: readonly Episode[], at: number): string | undefined {
  const [sound = ''] = episodes[at]?.files ?? []
  return episodes.findIndex(({ files }) => files[0] === sound) === at ? episodeAnchor(sound) : undefined
}

/** Our own episodes in the browser's player, which works without a script. Nothing of one loads before it's played. */
export const EpisodeList = ({ episodes }: { episodes: readonly Episode[] }) => (
  <ol className="episodes">
    {episodes.map(({ title, text, notes, seconds, files, isSample }, at) => (
      <li key={`${files[0]} ${title}`} id={anchorIn(episodes, at)}>
        <h3>{title}</h3>
        <p>{text}</p>
        <p className="second">
          {lengthText(seconds)}
          {isSample && ' · Sample'}
        </p>
        {/* biome-ignore lint/a11y/useMediaCaption: sound alone has no captions; its words are in the text above */}
        <audio controls preload="none" aria-label={title}>
          {files.map((file) => (
            <source key={file} src={file} type={mediaTypeAt(file) ?? undefined} />
          ))}
        </audio>
        {notes && (
          <details>
            <summary>Notes</summary>
            <p className="episodes__notes">
              <LinkedText text={notes} />
            </p>
          </details>
        )}
      </li>
    ))}
  </ol>
)

const LinkedText = ({ text }: { text: string }) =>
  splitAddresses(text).map((part, at) =>
    part.isAddress ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text stay in their places
      <TextAnchor key={at} href={part.text}>
        {part.text}
      </TextAnchor>
    ) : (
      part.text
    ),
  )
