import { useEffect, useMemo, useRef } from 'react'
import { keptVideoAddress } from '#pwa/features/members/stored/use-shelf.ts'
import { ListedVideo, type VideoRowContext } from '#pwa/features/members/videos/video-category.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { excerptOf } from '#shared/rules/excerpt.ts'
import { formatPosition, totalMinutes } from '#shared/rules/video.ts'
import type { TranscriptLine } from '#shared/values/captions.ts'
import { type Finder, filterCount, isSearching } from './use-finder.ts'
import { findLines, findVideos, useVideoIndex } from './use-video-index.ts'
import './finder.css'

type Props = {
  videos: readonly MemberVideo[]
  context: VideoRowContext
  finder: Finder
  onChange: (change: Partial<Finder> | null) => void
}

/** Finds videos by words, state and length, without signal too: it searches this device. */
export default function FinderSection({ videos, context, finder, onChange }: Props) {
  const index = useVideoIndex(videos)
  const { progress, newIds, kept } = context
  const found = useMemo(
    () =>
      findVideos(videos, index, finder, {
        isDone: (id) => progress.get(id)?.completed === true,
        isNew: (id) => newIds.has(id),
        isKept: (id) => kept.get(id)?.whole != null,
      }),
    [videos, index, finder, progress, newIds, kept],
  )
  const lines = useMemo(() => findLines(index, finder.words), [index, finder.words])
  const isLooking = isSearching(finder)
  const section = useRef<HTMLElement>(null)
  // What's found comes right under it, so it needs the screen.
  useEffect(() => {
    const { top = 0 } = section.current?.getBoundingClientRect() ?? {}
    if (top > window.innerHeight / 2) section.current?.scrollIntoView({ block: 'start' })
  }, [])
  return (
    <section className="sheet finder" ref={section} aria-label="Find a video">
      <form className="finder__form" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="Search"
          type="search"
          value={finder.words}
          onChange={({ target }) => onChange({ words: target.value })}
          autoComplete="off"
          enterKeyHint="search"
          autoFocus
        />
        <IconButton icon="cross" label="Close" onClick={() => onChange(null)} />
      </form>
      <p className="second finder__count" role="status">
        {isLooking && `${found.length === 1 ? '1 video' : `${found.length} videos`} · ${totalMinutes(found)} min`}
      </p>
      <Filters finder={finder} onChange={onChange} />
      {isLooking &&
        (found.length === 0 ? (
          <EmptyState title="No videos found">Try fewer words, or clear the search.</EmptyState>
        ) : (
          <ol className="plain">
            {found.map((video, at) => (
              <ListedVideo
                key={video.id}
                video={video}
                context={context}
                number={at + 1}
                said={saidThere({
                  video,
                  line: lines.get(video.id),
                  wanted: finder.words,
                  canPlay: context.hasSignal || keptVideoAddress(kept.get(video.id)) !== undefined,
                })}
              />
            ))}
          </ol>
        ))}
    </section>
  )
}

const longestLine = 160

type SaidProps = { video: MemberVideo; line: TranscriptLine | undefined; wanted: string; canPlay: boolean }

/** What's said in the video that has the words, and when. */
function saidThere({ video: { slug }, line, wanted, canPlay }: SaidProps) {
  if (line === undefined || !slug) return null
  const words = excerptOf(line.words, longestLine, wanted.split(/\s+/).filter(Boolean))
  return (
    <p className="finder__said second">
      “{words}”{' '}
      {line.from !== null && canPlay && (
        <TextLink isTap to="/members/videos/$slug" params={{ slug }} hash={`t=${line.from}`}>
          Play from {formatPosition(line.from)}
        </TextLink>
      )}
    </p>
  )
}

function Filters({ finder, onChange }: Pick<Props, 'finder' | 'onChange'>) {
  const choose =
    <Name extends keyof Finder>(name: Name) =>
    ({ target }: { target: { value: string } }) =>
      onChange({ [name]: target.value })
  const count = filterCount(finder)
  return (
    <details className="finder__filters">
      <summary>
        Filters{count > 0 && ` (${count})`}
        <Icon name="chev" />
      </summary>
      <div className="finder__form">
        <SelectField label="Show" value={finder.show} onChange={choose('show')}>
          <option value="all">All</option>
          <option value="to-do">To do</option>
          <option value="done">Done</option>
          <option value="new">New since your last visit</option>
          <option value="kept">Kept on this phone</option>
        </SelectField>
        <SelectField label="Length" value={finder.length} onChange={choose('length')}>
          <option value="any">Any</option>
          <option value="short">Up to 10 minutes</option>
          <option value="medium">10 to 20 minutes</option>
          <option value="long">Longer</option>
        </SelectField>
        <SelectField label="Order" value={finder.sort} onChange={choose('sort')}>
          <option value="order">List order, or best match first</option>
          <option value="shortest">Shortest first</option>
          <option value="newest">Newest first</option>
        </SelectField>
      </div>
    </details>
  )
}
