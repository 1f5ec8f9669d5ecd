import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readOwnerDraft, removeOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { RequestError } from '#pwa/lib/request-error.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { PostForm } from './post-form.tsx'
import { adminPostQuery } from './queries.ts'
import { VersionsSection } from './versions.tsx'

type Search = Record<string, unknown>

const withoutPost = ({ post: _, ...others }: Search): Search => others

/** `id` is null for a new post. A draft on this device shows even offline. */
export function PostScreen({ id, isSimple }: { id: string | null; isSimple: boolean }) {
  const draft = `${isSimple ? 'simple-post' : 'post'}-${id ?? 'new'}`
  const [hasDraft, setHasDraft] = useState(() => readOwnerDraft(draft) !== null)
  /** Counts restored versions: a new key makes the form start again from the restored post. */
  const [attempt, setAttempt] = useState(0)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery({
    ...adminPostQuery(id ?? ''),
    enabled: id !== null,
  })
  if (error instanceof RequestError && error.code === 'not_found')
    return (
      <EmptyState title="We can’t find that post" action={toList}>
        It may have been deleted.
      </EmptyState>
    )
  return (
    <>
      <ListState error={error} dataUpdatedAt={dataUpdatedAt} isFetching={isFetching} refetch={refetch} />
      {id === null || data || hasDraft ? (
        <>
          <div className="panel__top">
            <h2>{id === null ? 'New post' : 'Edit post'}</h2>
            {toList}
          </div>
          <PostForm
            key={attempt}
            id={id}
            draft={draft}
            isSimple={isSimple}
            post={data ?? null}
            onClose={() => {
              navigate({ to: '.', search: withoutPost }).catch(reportError)
            }}
            onStartAgain={() => setHasDraft(false)}
          />
          {data && !isSimple && (
            <VersionsSection
              post={data}
              onRestored={(restored) => {
                removeOwnerDraft(draft)
                queryClient.setQueryData(adminPostQuery(restored.id).queryKey, restored)
                setAttempt(attempt + 1)
              }}
            />
          )}
        </>
      ) : (
        error === null && <Skeleton size="block" />
      )}
    </>
  )
}

const toList = (
  <ButtonLink look="line" isSmall to="." search={withoutPost}>
    All posts
  </ButtonLink>
)
