import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { removeOwnerDraft } from '#pwa/features/admin/draft-storage.ts'
import { ListState } from '#pwa/features/admin/list/list-section.tsx'
import { RestoredNote } from '#pwa/features/admin/restored-section.tsx'
import { useFormFill } from '#pwa/features/admin/use-admin-form.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { AdminPost } from '#shared/contract/admin-post.ts'
import { PostForm } from './post-form.tsx'
import { valuesOfPost } from './post-form-values.ts'
import { adminPostQuery } from './queries.ts'

/** The editor of one post; `id` is null for a new one. What was typed on this device is shown even without signal. */
export function PostScreen({ id }: { id: string | null }) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery({
    ...adminPostQuery(id ?? ''),
    enabled: id !== null,
    refetchOnReconnect: (query) => query.state.data === undefined,
  })
  if (id === null) return <PostEditing post={null} />
  if (data) return <PostEditing post={data} />
  if (error instanceof RequestError && error.code === 'not_found')
    return (
      <EmptyState title="This post was not found" action={toList}>
        It may have been deleted meanwhile.
      </EmptyState>
    )
  return (
    <>
      <ListState {...{ error, dataUpdatedAt, isFetching, refetch }} />
      {error === null && <Skeleton size="block" />}
    </>
  )
}

const toList = (
  <ButtonLink look="line" isSmall to="/admin/$place" params={{ place: 'blog' }}>
    All posts
  </ButtonLink>
)

function PostEditing({ post }: { post: AdminPost | null }) {
  const draft = `post-${post?.id ?? 'new'}`
  const { attempt, typed, isRestored, fillWith } = useFormFill(draft)
  const navigate = useNavigate()
  const toAllPosts = () => {
    navigate({ to: '/admin/$place', params: { place: 'blog' } }).catch(reportError)
  }
  return (
    <>
      <div className="panel__top">
        <h2>{post ? 'Edit post' : 'New post'}</h2>
        {toList}
      </div>
      {isRestored && <RestoredNote onStartAgain={() => fillWith(null)} />}
      <PostForm
        key={attempt}
        {...{ post, draft, typed }}
        onDone={toAllPosts}
        onCancel={() => {
          removeOwnerDraft(draft)
          toAllPosts()
        }}
        onTheirs={(theirs) => fillWith(valuesOfPost(theirs))}
      />
    </>
  )
}
