import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DeleteDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { PublishedBadge, publishedState } from '#pwa/features/admin/kit/forms/published-form.tsx'
import { useAddressedDialog } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu, RowTitle } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { AdminEpisode, EpisodeRemoved } from '#shared/contract/podcast.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { lengthText } from './episode-files.tsx'
import { EpisodeDialog } from './episode-form.tsx'
import { episodesQuery } from './queries.ts'
import './podcast.css'

const titleOf = ({ number, title }: AdminEpisode) => (number === null ? title : `${number}. ${title}`)

const columnsOf = (onEdit: (episode: AdminEpisode) => void): readonly Column<AdminEpisode>[] => [
  {
    label: 'Episode',
    kind: 'who',
    cell: (episode) => (
      <>
        <RowTitle onOpen={() => onEdit(episode)}>{titleOf(episode)}</RowTitle>
        <small>{episode.summary}</small>
      </>
    ),
    text: titleOf,
  },
  { label: 'Length', cell: lengthText, text: lengthText },
  { label: 'Audio', cell: ({ mediaName }) => mediaName, text: ({ mediaName }) => mediaName },
  {
    label: 'State',
    cell: (episode) => <PublishedBadge row={episode} />,
    text: publishedState,
  },
  {
    label: 'Published',
    kind: 'date',
    cell: ({ publishedAt }) => publishedAt && formatMoment(publishedAt),
    text: ({ publishedAt }) => publishedAt ?? '',
  },
]

type Open = { what: 'edit' | 'delete'; episode: AdminEpisode } | null

export default function PodcastSection() {
  const query = useQuery(episodesQuery)
  const [open, setOpen] = useState<Open>(null)
  const fresh = useAddressedDialog()
  const close = () => setOpen(null)
  return (
    <>
      <ShortList
        title="Podcast"
        name="episodes"
        query={query}
        columns={columnsOf((episode) => setOpen({ what: 'edit', episode }))}
        idOf={({ id }) => id}
        tools={
          <Button isSmall aria-haspopup="dialog" onClick={fresh.open}>
            New episode
          </Button>
        }
        note={
          <>
            Your first published episode replaces the samples. Give Apple Podcasts and other directories this address
            once: <TextAnchor href="/podcast.xml">{`${window.location.origin}/podcast.xml`}</TextAnchor>
          </>
        }
        empty={{ title: 'No episodes yet', text: 'Add one: audio, a title and a sentence about it.' }}
        actions={(episode) => <EpisodeMenu episode={episode} onOpen={setOpen} />}
      />
      {fresh.isOpen && <EpisodeDialog episode={null} onClose={fresh.close} />}
      {open?.what === 'edit' && <EpisodeDialog episode={open.episode} onClose={close} />}
      {open?.what === 'delete' && (
        <DeleteDialog
          what="episode"
          row={open.episode}
          schema={AdminEpisode}
          removed={EpisodeRemoved}
          send={(version) => api.api.admin.podcast({ id: open.episode.id }).delete({}, { query: { version } })}
          nowIs={({ title }) => `It’s now called “${title}”.`}
          onClose={close}
        >
          It comes off the page and the feed. Apps that already have it may keep it. Its audio stays in the library.
        </DeleteDialog>
      )}
    </>
  )
}

const EpisodeMenu = ({ episode, onOpen }: { episode: AdminEpisode; onOpen: (open: Open) => void }) => (
  <RowMenu
    name={episode.title}
    items={[
      { label: 'Edit', onPress: () => onOpen({ what: 'edit', episode }) },
      { label: 'Delete', onPress: () => onOpen({ what: 'delete', episode }) },
    ]}
  />
)
