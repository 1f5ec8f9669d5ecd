import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { SearchForm } from '#pwa/features/admin/kit/list/search-form.tsx'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { allVideosQuery } from '#pwa/features/admin/kit/video-queries.ts'
import { api } from '#pwa/lib/api.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { AdminPostSummary } from '#shared/contract/admin-post.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { londonDay } from '#shared/rules/london.ts'
import { isInTier } from '#shared/rules/video.ts'
import type { Answer } from './use-answer-draft.ts'

type Chosen = Pick<Answer, 'linkKind' | 'link' | 'linkTitle'>
type Props = { tier: string | null; onChoose: (chosen: Chosen) => void; onClose: () => void }

/** What they can open: videos of their tier, and posts. */
export function LinkDialog({ tier, onChoose, onClose }: Props) {
  const [q, setQ] = useState<string>()
  return (
    <Dialog isOpen onClose={onClose} title="Link a video or post">
      <SearchForm label="Find it by its title" q={q} onChange={(address) => setQ(address.q || undefined)} />
      <Videos
        q={q}
        tier={tier}
        onChoose={(video) => onChoose({ linkKind: 'video', link: video.id, linkTitle: video.title })}
      />
      <Posts q={q} onChoose={(post) => onChoose({ linkKind: 'post', link: post.slug, linkTitle: post.title })} />
    </Dialog>
  )
}

type Titled = { id: string; title: string }
type PartProps<Row> = { q: string | undefined; onChoose: (row: Row) => void }

const shownAtFirst = 6

function Videos({ q, tier, onChoose }: PartProps<Titled> & Pick<Props, 'tier'>) {
  const { data, ...state } = useQuery(allVideosQuery)
  const words = foldText(q ?? '').split(' ')
  const today = londonDay(new Date())
  const fitting = data?.filter(
    (video) =>
      video.isPublished &&
      (video.availableFrom ?? '') <= today &&
      tier !== null &&
      isInTier(video, tier) &&
      words.every((word) => foldText(video.title).includes(word)),
  )
  return <Choices title="Videos they can open" rows={fitting} state={state} onChoose={onChoose} />
}

function Posts({ q, onChoose }: PartProps<AdminPostSummary>) {
  const { data, ...state } = useQuery({
    queryKey: [adminKey, 'posts-to-link', q],
    queryFn: async () => {
      const query = { ...(q === undefined ? {} : { q }), show: 'published', limit: shownAtFirst } as const
      return (await requestListPage(AdminPostSummary, api.api.admin.blog.get({ query }))).rows
    },
    placeholderData: (before) => before,
    staleTime: 0,
  })
  return <Choices title="Posts" rows={data} state={state} onChoose={onChoose} />
}

type ChoicesProps<Row> = {
  title: string
  rows: readonly Row[] | undefined
  state: Parameters<typeof ListState>[0]
  onChoose: (row: Row) => void
}

function Choices<Row extends Titled>({ title, rows, state, onChoose }: ChoicesProps<Row>) {
  return (
    <section className="asked__choices" aria-label={title}>
      <h3>{title}</h3>
      <ListState {...state} />
      {rows === undefined && state.error === null && <Skeleton size="line" />}
      {rows?.length === 0 && <p className="second">None found.</p>}
      <ul className="plain">
        {rows?.slice(0, shownAtFirst).map((row) => (
          <li key={row.id}>
            <button type="button" className="link rowtitle" onClick={() => onChoose(row)}>
              {row.title}
            </button>
          </li>
        ))}
      </ul>
      {rows !== undefined && rows.length > shownAtFirst && (
        <p className="second">{rows.length - shownAtFirst} more. Type a word of its title.</p>
      )}
    </section>
  )
}
