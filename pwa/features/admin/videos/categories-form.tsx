import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { VideoCategories } from '#shared/contract/admin-video.ts'
import { plural } from '#shared/rules/plural.ts'
import { categoriesQuery } from './queries.ts'

/** `was`: the saved name, null for a new category. `key` survives renaming and moving. */
type Row = { key: number; name: string; was: string | null; videos: number }

const rowsOf = ({ categories }: VideoCategories): Row[] =>
  categories.map(({ name, videos }, key) => ({ key, name, was: name, videos }))

export default function CategoriesForm({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery({ ...categoriesQuery, refetchOnWindowFocus: false })
  // Keep the categories as first loaded: later changes must show as a conflict.
  const [first, setFirst] = useState<VideoCategories | null>(null)
  if (first === null && data) setFirst(data)
  if (error && first === null)
    return <Banner tone="bad" role="status" title={messageOf(error, 'We couldn’t load them.')} />
  return first === null ? (
    <Skeleton size="block" />
  ) : (
    <Fields key={first.version} stored={first} onClose={onClose} onTheirs={setFirst} />
  )
}

type Props = { stored: VideoCategories; onClose: () => void; onTheirs: (theirs: VideoCategories) => void }

function Fields({ stored, onClose, onTheirs }: Props) {
  const [rows, setRows] = useState(() => rowsOf(stored))
  const action = useAdminAction({
    schema: VideoCategories,
    send: () =>
      api.api.admin.videos.categories.put({
        categories: rows.map(({ name, was }) => ({ name, was })),
        version: stored.version,
      }),
    failure: 'We couldn’t save the categories',
    done: { title: 'Categories saved' },
    onDone: onClose,
  })
  const versions = action.error instanceof RequestError ? action.error.versions : undefined
  const add = () =>
    setRows([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '', was: null, videos: 0 }])
  return (
    <form
      className="fields"
      aria-label="Categories"
      onSubmit={(event) => {
        event.preventDefault()
        if (!action.isPending) action.mutate()
      }}
    >
      <p className="second">Members see them in this order. A renamed category keeps its videos.</p>
      <ol className="plain catform">
        {rows.map((row, at) => (
          <CategoryRow
            key={row.key}
            row={row}
            at={at}
            last={rows.length - 1}
            onRename={(name) => setRows(rows.with(at, { ...row, name }))}
            onMove={(by) => setRows(rows.toSpliced(at, 1).toSpliced(at + by, 0, row))}
            onRemove={() => setRows(rows.toSpliced(at, 1))}
          />
        ))}
      </ol>
      {action.problem && (
        <Banner
          tone="bad"
          role="alert"
          title={action.problem}
          action={versions && <TakeTheirs current={versions.current} onTheirs={onTheirs} />}
        />
      )}
      <div className="acts">
        <Button type="submit" isBusy={action.isPending} busyLabel="Saving…">
          Save categories
        </Button>
        <Button look="line" onClick={add}>
          Add a category
        </Button>
        <KeepButton isBusy={action.isPending} onClick={onClose}>
          Cancel
        </KeepButton>
      </div>
    </form>
  )
}

type RowProps = {
  row: Row
  at: number
  last: number
  onRename: (name: string) => void
  onMove: (by: number) => void
  onRemove: () => void
}

const CategoryRow = ({ row: { name, was, videos }, at, last, onRename, onMove, onRemove }: RowProps) => (
  <li>
    <TextField
      label={`Category ${at + 1}`}
      value={name}
      maxLength={60}
      autoComplete="off"
      hint={was === null ? 'New' : plural(videos, 'video')}
      onChange={({ target }) => onRename(target.value)}
    />
    <div className="acts">
      <Button isSmall look="line" aria-label={`Move ${name} up`} disabled={at === 0} onClick={() => onMove(-1)}>
        <span aria-hidden="true">↑</span>
      </Button>
      <Button isSmall look="line" aria-label={`Move ${name} down`} disabled={at === last} onClick={() => onMove(1)}>
        <span aria-hidden="true">↓</span>
      </Button>
      <Button
        isSmall
        look="line"
        aria-label={`Remove ${name}`}
        disabled={videos > 0}
        title={videos > 0 ? 'Move its videos to another category first.' : undefined}
        onClick={onRemove}
      >
        Remove
      </Button>
    </div>
  </li>
)

function TakeTheirs({ current, onTheirs }: { current: unknown; onTheirs: Props['onTheirs'] }) {
  const read = v.safeParse(VideoCategories, current)
  if (!read.success) return null
  return (
    <Button isSmall look="line" onClick={() => onTheirs(read.output)}>
      Start again from theirs
    </Button>
  )
}
