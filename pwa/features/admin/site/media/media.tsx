import { useState } from 'react'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu, RowTitle } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { MediaUploadSection } from '#pwa/features/admin/kit/media/media-upload.tsx'
import { mediaList } from '#pwa/features/admin/kit/media/queries.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { MediaFile } from '#shared/contract/media.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatBytes, kindOfMedia } from '#shared/values/media.ts'
import { PreviewMediaDialog, RemoveMediaDialog, ReplaceMediaDialog } from './media-dialogs.tsx'
import { kindFilters, kindLabel, usesOf, whoSees } from './media-texts.ts'
import '#pwa/features/admin/kit/media/media.css'

const columnsOf = (onOpen: (file: MediaFile) => void): readonly Column<MediaFile>[] => [
  {
    label: 'File',
    sort: 'name',
    kind: 'who',
    cell: (file) => (
      <span className="mediafile">
        {kindOfMedia(file.format) === 'picture' && (
          <img src={file.address} alt="" width={56} height={42} loading="lazy" />
        )}
        <span>
          <RowTitle onOpen={() => onOpen(file)}>{file.name}</RowTitle>
          <small>{kindLabel(file)}</small>
        </span>
      </span>
    ),
    text: ({ name }) => name,
  },
  { label: 'Who sees it', cell: whoSees, text: whoSees, dropOrder: 2 },
  {
    label: 'Used in',
    cell: (file) => <UsedIn file={file} />,
    text: (file) => usesOf(file).join('; '),
  },
  {
    label: 'Size',
    sort: 'size',
    kind: 'number',
    cell: ({ bytes }) => formatBytes(bytes),
    text: ({ bytes }) => String(bytes),
  },
  {
    label: 'Added',
    sort: 'added',
    kind: 'date',
    dropOrder: 1,
    cell: ({ createdAt, replacedAt }) => (
      <>
        {formatLongDate(createdAt)}
        {replacedAt && <small>{`replaced ${formatLongDate(replacedAt)}`}</small>}
      </>
    ),
    text: ({ createdAt }) => createdAt,
  },
]

const shownUses = 2

function UsedIn({ file }: { file: MediaFile }) {
  const uses = usesOf(file)
  if (uses.length === 0) return <span className="second">Not used yet</span>
  return (
    <div>
      {uses.slice(0, shownUses).map((use) => (
        <div key={use}>{use}</div>
      ))}
      {uses.length > shownUses && <small>{`and ${uses.length - shownUses} more`}</small>}
    </div>
  )
}

type Open = { dialog: 'preview' | 'replace' | 'remove'; file: MediaFile } | null

export default function MediaSection() {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <>
      <ListSection
        title="Media"
        list={mediaList}
        columns={columnsOf((file) => setOpen({ dialog: 'preview', file }))}
        filters={kindFilters}
        searchLabel="Find a file"
        defaultSort="-added"
        before={<MediaUploadSection />}
        empty={{ title: 'No files yet', text: 'Videos, audio, pictures and documents you add show up here.' }}
        actions={(file) => <MediaActions file={file} onOpen={(dialog) => setOpen({ dialog, file })} />}
      />
      {open?.dialog === 'preview' && <PreviewMediaDialog file={open.file} onClose={close} />}
      {open?.dialog === 'replace' && <ReplaceMediaDialog file={open.file} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveMediaDialog file={open.file} onClose={close} />}
    </>
  )
}

type ActionsProps = { file: MediaFile; onOpen: (dialog: NonNullable<Open>['dialog']) => void }

function MediaActions({ file: { name, address }, onOpen }: ActionsProps) {
  const toast = useToast()
  const copy = async () => {
    await navigator.clipboard.writeText(address)
    toast({ title: 'Address copied', description: address, tone: 'ok' })
  }
  return (
    <RowMenu
      name={name}
      items={[
        { label: 'Preview', onPress: () => onOpen('preview') },
        { label: 'Copy address', onPress: () => void copy().catch(reportError) },
        { label: 'Replace', onPress: () => onOpen('replace') },
        { label: 'Delete', onPress: () => onOpen('remove') },
      ]}
    />
  )
}
