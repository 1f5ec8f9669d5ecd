import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { AdminPost, type PostVersion } from '#shared/contract/admin-post.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { PostPreviewDialog } from './post-content.tsx'
import { postAtVersionQuery, postVersionsQuery } from './queries.ts'

const columns: readonly Column<PostVersion>[] = [
  {
    label: 'Version',
    kind: 'who',
    cell: ({ version }) => `Version ${version}`,
    text: ({ version }) => String(version),
  },
  { label: 'Title', cell: ({ title }) => title, text: ({ title }) => title },
  {
    label: 'Saved',
    kind: 'date',
    cell: ({ createdAt }) => formatMoment(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  { label: 'By', cell: ({ by }) => by, text: ({ by }) => by ?? '' },
]

type Props = { post: AdminPost; onRestored: (post: AdminPost) => void }

export function VersionsSection({ post, onRestored }: Props) {
  const query = useQuery(postVersionsQuery(post.id))
  const [open, setOpen] = useState<{ what: 'look' | 'restore'; number: number } | null>(null)
  const close = () => setOpen(null)
  const earlier = query.data?.filter(({ version }) => version < post.version)
  return (
    <div>
      <ShortList
        title="Earlier versions"
        isPart
        name="versions"
        query={{ ...query, data: earlier }}
        columns={columns}
        idOf={({ version }) => String(version)}
        empty={{ title: 'No earlier versions', text: 'Each time you save this post, the version before is kept here.' }}
        actions={({ version }) => (
          <>
            <Button
              look="line"
              isSmall
              aria-haspopup="dialog"
              aria-label={`View version ${version}`}
              onClick={() => setOpen({ what: 'look', number: version })}
            >
              View
            </Button>
            <Button
              look="line"
              isSmall
              aria-haspopup="dialog"
              aria-label={`Restore version ${version}`}
              onClick={() => setOpen({ what: 'restore', number: version })}
            >
              Restore
            </Button>
          </>
        )}
      />
      {open?.what === 'look' && <VersionDialog id={post.id} number={open.number} onClose={close} />}
      {open?.what === 'restore' && (
        <RestoreDialog post={post} number={open.number} onClose={close} onRestored={onRestored} />
      )}
    </div>
  )
}

function VersionDialog({ id, number, onClose }: { id: string; number: number; onClose: () => void }) {
  const { data } = useQuery(postAtVersionQuery(id, number))
  if (data === undefined) return null
  const { title, excerpt, content, author, featuredImage, featuredImageAlt } = data
  const picture = { featuredImage: featuredImage ?? '', featuredImageAlt: featuredImageAlt ?? '' }
  return (
    <PostPreviewDialog
      heading={`Version ${number}, ${formatMoment(data.createdAt)}`}
      values={{ title, content, author, excerpt: excerpt ?? '', ...picture }}
      onClose={onClose}
    />
  )
}

type RestoreProps = Props & { number: number; onClose: () => void }

function RestoreDialog({ post, number, onClose, onRestored }: RestoreProps) {
  const action = useAdminAction({
    schema: AdminPost,
    send: () =>
      api.api.admin
        .blog({ id: post.id })
        .versions({ number: String(number) })
        .restore.post({ version: post.version }),
    failure: 'We couldn’t restore that version.',
    done: { title: `Version ${number} restored`, description: post.title },
    onDone: (restored) => {
      onClose()
      onRestored(restored)
    },
  })
  return (
    <ConfirmDialog
      title={`Restore version ${number}?`}
      button="Restore"
      busy="Saving…"
      keep="Leave it"
      look="ink"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>
        Its words and pictures replace the current ones, which are kept as a version too. The address stays the same,
        and so does whether it’s published.
      </p>
    </ConfirmDialog>
  )
}
