import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { PublishedBadge, publishedState } from '#pwa/features/admin/kit/forms/published-form.tsx'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { api } from '#pwa/lib/api.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { AdminPost, type AdminPostSummary, PostRemoved } from '#shared/contract/admin-post.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { PostScreen } from './post-screen.tsx'
import { postList } from './queries.ts'
import './admin-blog.css'

const dayOf = (at: string | null) => (at === null ? '' : formatLongDate(at))

/** Keeps the list’s search in the address, so that going back shows the same rows. */
const toPost =
  (post: string) =>
  <Search extends object>(list: Search): Search => ({ ...list, post })

const columns: readonly Column<AdminPostSummary>[] = [
  {
    label: 'Title',
    sort: 'title',
    kind: 'who',
    cell: ({ id, title, slug }) => (
      <>
        <TextLink to="." search={toPost(id)}>
          {title}
        </TextLink>
        <small>/blog/{slug}</small>
      </>
    ),
    text: ({ title, slug }) => `${title} </blog/${slug}>`,
  },
  { label: 'Author', cell: ({ author }) => author, text: ({ author }) => author },
  {
    label: 'State',
    cell: (post) => <PublishedBadge row={post} />,
    text: publishedState,
  },
  {
    label: 'Published',
    sort: 'published',
    kind: 'date',
    cell: ({ publishedAt }) => dayOf(publishedAt),
    text: ({ publishedAt }) => publishedAt ?? '',
  },
  {
    label: 'Changed',
    kind: 'date',
    sort: 'changed',
    cell: ({ updatedAt }) => dayOf(updatedAt),
    text: ({ updatedAt }) => updatedAt,
  },
]

const filters = [
  ['', 'All'],
  ['published', 'Published'],
  ['scheduled', 'Scheduled'],
  ['draft', 'Drafts'],
] as const

const PostActions = ({ post, onRemove }: { post: AdminPostSummary; onRemove: () => void }) => (
  <RowMenu name={post.title} items={[{ label: 'Delete', onPress: onRemove }]}>
    <ButtonLink look="line" to="." search={toPost(post.id)}>
      Edit
    </ButtonLink>
    {publishedState(post) === 'Published' && (
      <ButtonLink look="line" to="/blog/$slug" params={{ slug: post.slug }}>
        View on the site
      </ButtonLink>
    )}
  </RowMenu>
)

export default function BlogSection({ isSimple = false }: { isSimple?: boolean }) {
  const { post }: Record<string, unknown> = useSearch({ strict: false })
  const [removing, setRemoving] = useState<AdminPostSummary | null>(null)
  if (typeof post === 'string') return <PostScreen key={post} id={post === 'new' ? null : post} isSimple={isSimple} />
  return (
    <>
      <ListSection
        title="Blog"
        list={postList}
        columns={columns}
        filters={filters}
        searchLabel="Find a post"
        defaultSort="-changed"
        empty={{
          title: 'No blog posts yet',
          text: 'Press “New post” to write one, or move in the ones you’ve got.',
        }}
        tools={
          <>
            {!isSimple && (
              <ButtonLink look="line" isSmall to="/admin/$place" params={{ place: 'move-in' }}>
                Move posts in
              </ButtonLink>
            )}
            <ButtonLink isSmall to="." search={toPost('new')}>
              New post
            </ButtonLink>
          </>
        }
        actions={(post) => <PostActions post={post} onRemove={() => setRemoving(post)} />}
      />
      {removing && (
        <DeleteDialog
          what="blog post"
          row={removing}
          schema={AdminPost}
          removed={PostRemoved}
          send={(version) => api.api.admin.blog({ id: removing.id }).delete({}, { query: { version } })}
          nowIs={({ title }) => `It’s now called “${title}”.`}
          onClose={() => setRemoving(null)}
        >
          Links to it stop working. This cannot be undone. To hide it instead, make it a draft.
        </DeleteDialog>
      )}
    </>
  )
}
