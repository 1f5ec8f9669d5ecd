import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { ListState, NothingFound } from '#pwa/features/admin/kit/list/list.tsx'
import { SearchForm } from '#pwa/features/admin/kit/list/search-form.tsx'
import { type Chosen, useChosen, useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { saveCsv } from '#pwa/features/admin/kit/list/use-list-csv.ts'
import { type TierList, useTierList } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { allVideosQuery } from '#pwa/features/admin/kit/video-queries.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { csvRow } from '#shared/rules/csv.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { formatDuration, isInTier, videosByCategory } from '#shared/rules/video.ts'
import { useCategories } from './use-categories.ts'
import { VideoBulkBar } from './video-bulk.tsx'
import { rowIdOf, toVideo, VideoCategorySection, type VideoDialog } from './video-category.tsx'
import { CategoriesDialog, RemoveVideoDialog, ViewersDialog, WatchVideoDialog } from './video-dialogs.tsx'
import { isShown, videoFields } from './video-texts.ts'
import './videos.css'

const VideoScreen = lazy(() => loadFile(() => import('./video/video-screen.tsx')))

export default function VideosSection() {
  const { lesson: video }: Record<string, unknown> = useSearch({ strict: false })
  const savedId = useRef<string>(undefined)
  if (typeof video !== 'string') return <VideoList savedId={savedId} />
  return (
    <Suspense fallback={<Skeleton size="block" />}>
      <VideoScreen key={video} id={video === 'new' ? null : video} savedId={savedId} />
    </Suspense>
  )
}

type Open = { dialog: VideoDialog; video: AdminVideo } | { dialog: 'categories' } | null

/** A tier in the address previews what its members see. */
function VideoList({ savedId }: { savedId: RefObject<string | undefined> }) {
  const { address, change } = useListAddress()
  const { data: videos, error, dataUpdatedAt, isFetching, refetch } = useQuery(allVideosQuery)
  const [open, setOpen] = useState<Open>(null)
  const [shownId] = useState(savedId.current)
  useSavedInView(savedId, videos)
  const tierList = useTierList()
  const tier = tierList.slugs.find((slug) => slug === address.show)
  const close = () => setOpen(null)
  const categories = useCategories(videos ?? [])
  const chosen = useChosen(videos ?? [], idOf)
  const shown = shownOf(videos ?? [], { tier, q: address.q })
  const watch = (video: AdminVideo) => setOpen({ dialog: 'watch', video })
  return (
    <>
      <div className="panel__top">
        <h2>Videos</h2>
        {tier === undefined && <SearchForm label="Find a video" q={address.q} onChange={change} />}
        <SelectField
          className="vids__show"
          label="Show"
          value={tier ?? ''}
          onChange={({ target }) => change({ show: target.value, q: '' })}
        >
          <option value="">Everything, drafts too</option>
          {tierList.slugs.map((slug) => (
            <option key={slug} value={slug}>
              What {tierList.nameOf(slug)} members see
            </option>
          ))}
        </SelectField>
        <Button look="line" isSmall icon="down" onClick={() => saveCsv('videos.csv', csvOf(shown, tierList))}>
          CSV
        </Button>
        <Button look="line" isSmall aria-haspopup="dialog" onClick={() => setOpen({ dialog: 'categories' })}>
          Categories
        </Button>
        <ButtonLink isSmall to="." search={toVideo('new')}>
          Add a video
        </ButtonLink>
      </div>
      <ListState error={error} dataUpdatedAt={dataUpdatedAt} isFetching={isFetching} refetch={refetch} />
      {videos === undefined ? (
        error === null && <Skeleton size="block" />
      ) : tier ? (
        <VideoPreviewSection tier={tier} tierList={tierList} videos={videos} onWatch={watch} />
      ) : (
        <Categories
          videos={videos}
          categories={categories}
          chosen={chosen}
          savedId={shownId}
          q={address.q}
          onOpen={(dialog, video) => setOpen({ dialog, video })}
          onShowAll={() => change({ q: '' })}
        />
      )}
      {tier === undefined && <VideoBulkBar chosen={chosen} categories={categories} />}
      {open?.dialog === 'categories' && <CategoriesDialog onClose={close} />}
      {open && 'video' in open && <OpenedDialog open={open} onClose={close} />}
    </>
  )
}

/** Back from the form: the video just saved comes into view, which for a new one is once the list has it. */
function useSavedInView(savedId: RefObject<string | undefined>, videos: readonly AdminVideo[] | undefined) {
  useEffect(() => {
    const row = savedId.current && videos && document.getElementById(rowIdOf(savedId.current))
    if (!row) return
    savedId.current = undefined
    row.scrollIntoView({ block: 'center' })
  }, [savedId, videos])
}

type OpenedProps = { open: { dialog: VideoDialog; video: AdminVideo }; onClose: () => void }

function OpenedDialog({ open: { dialog, video }, onClose }: OpenedProps) {
  if (dialog === 'remove') return <RemoveVideoDialog video={video} onClose={onClose} />
  if (dialog === 'watch') return <WatchVideoDialog video={video} onClose={onClose} />
  return <ViewersDialog video={video} onClose={onClose} />
}

const idOf = ({ id }: AdminVideo) => id

const csvOf = (videos: readonly AdminVideo[], tierList: TierList): string[] => {
  const columns = videoFields(tierList)
  return [
    csvRow(columns.map(([label]) => label)),
    ...videos.map((video) => csvRow(columns.map(([, text]) => text(video)))),
  ]
}

const shownOf = (videos: readonly AdminVideo[], { tier, q }: { tier: TierSlug | undefined; q: string | undefined }) =>
  videosByCategory(
    videos.filter((video) =>
      tier === undefined ? q === undefined || hasWords(video, q) : isShown(video) && isInTier(video, tier),
    ),
  ).flatMap((category) => category.videos)

type CategoriesProps = {
  videos: readonly AdminVideo[]
  chosen: Chosen<AdminVideo>
  categories: readonly string[]
  savedId: string | undefined
  q: string | undefined
  onOpen: (dialog: VideoDialog, video: AdminVideo) => void
  onShowAll: () => void
}

function Categories({ videos, chosen, categories, savedId, q, onOpen, onShowAll }: CategoriesProps) {
  const found = videosByCategory(q === undefined ? videos : videos.filter((video) => hasWords(video, q)))
  if (q !== undefined && found.length === 0) return <NothingFound hasWords onShowAll={onShowAll} />
  return (q === undefined ? categories : found.map(({ name }) => name)).map((name) => (
    <VideoCategorySection
      key={name}
      name={name}
      videos={found.find((category) => category.name === name)?.videos ?? []}
      isOrderable={q === undefined}
      onOpen={onOpen}
      chosen={chosen}
      savedId={savedId}
    />
  ))
}

function hasWords({ title, description, category }: AdminVideo, q: string): boolean {
  const text = foldText([title, description, category].join(' '))
  return foldText(q)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

type Props = { tier: TierSlug; tierList: TierList; videos: readonly AdminVideo[]; onWatch: (video: AdminVideo) => void }

function VideoPreviewSection({ tier, tierList, videos, onWatch }: Props) {
  const categories = videosByCategory(videos.filter((video) => isShown(video) && isInTier(video, tier)))
  if (categories.length === 0)
    return <EmptyState title="Content Coming Soon">{`${tierList.nameOf(tier)} members have no videos yet.`}</EmptyState>
  return categories.map(({ name, videos, minutes }) => (
    <section key={name} className="vids" aria-label={name}>
      <h3>
        {name}{' '}
        <span className="second">{`${videos.length === 1 ? '1 video' : `${videos.length} videos`} · ${minutes} min`}</span>
      </h3>
      <ol className="plain">
        {videos.map((video) => (
          <li key={video.id} className="vid">
            <div className="vid__what">
              <h4>{video.title}</h4>
              {video.description && <p className="second">{video.description}</p>}
              <p className="vid__meta">{formatDuration(video.duration)}</p>
            </div>
            <Button look="line" isSmall icon="play" aria-label={`Watch: ${video.title}`} onClick={() => onWatch(video)}>
              Watch
            </Button>
          </li>
        ))}
      </ol>
    </section>
  ))
}
