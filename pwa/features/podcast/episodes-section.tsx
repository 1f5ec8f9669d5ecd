import type { PodcastText } from '#shared/contract/texts/podcast.ts'
import { mediaTypeAt } from '#shared/rules/media.ts'
import { formatDuration } from '#shared/rules/video.ts'
import './episodes.css'

type Episode = PodcastText['episodes']['list'][number]

/** Episodes of our own, in the browser's own player, which works without a script. Nothing of one loads before it is played. */
export const EpisodeList = ({ episodes }: { episodes: readonly Episode[] }) => (
  <ol className="episodes">
    {episodes.map(({ title, text, seconds, files, isSample }) => (
      <li key={title}>
        <h3>{title}</h3>
        <p>{text}</p>
        <p className="second">
          {formatDuration(seconds / 60)}
          {isSample && ' · Sample'}
        </p>
        {/* biome-ignore lint/a11y/useMediaCaption: sound alone has no captions; its words are in the text above */}
        <audio controls preload="none" aria-label={title}>
          {files.map((file) => (
            <source key={file} src={file} type={mediaTypeAt(file) ?? undefined} />
          ))}
        </audio>
      </li>
    ))}
  </ol>
)
