import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { UploadList, useUploads } from '#pwa/features/admin/kit/media/media-upload.tsx'
import { readMediaText } from '#pwa/features/admin/kit/media/queries.ts'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction, useAdminRenewal } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { OwnPlayer } from '#pwa/ui/own-player.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { type MediaFile, MediaRemoved } from '#shared/contract/media.ts'
import { plural } from '#shared/rules/plural.ts'
import { formatBytes, kindOfMedia } from '#shared/values/media.ts'
import { kindLabel, usesOf } from './media-texts.ts'

type Props = { file: MediaFile; onClose: () => void }

export const PreviewMediaDialog = ({ file, onClose }: Props) => (
  <Dialog isOpen isWide onClose={onClose} title={file.name}>
    <MediaPreview file={file} />
    <dl className="mediafacts">
      <dt>Kind</dt>
      <dd>{`${kindLabel(file)}, ${formatBytes(file.bytes)}`}</dd>
      <dt>Who sees it</dt>
      <dd>{file.isPublic ? 'Everyone' : 'Members with a video that uses it'}</dd>
      <dt>Address</dt>
      <dd>
        <code>{file.address}</code>
      </dd>
      <dt>Used in</dt>
      <dd>
        <Uses file={file} />
      </dd>
    </dl>
  </Dialog>
)

const Uses = ({ file }: { file: MediaFile }) => {
  const uses = usesOf(file)
  if (uses.length === 0) return 'Not used yet'
  return (
    <ul className="plain">
      {uses.map((use) => (
        <li key={use}>{use}</li>
      ))}
    </ul>
  )
}

const FoldedUses = ({ file }: { file: MediaFile }) =>
  file.usedIn.length === 0 ? (
    <p>Nothing uses it yet.</p>
  ) : (
    <details>
      <summary>Used in {plural(usesOf(file).length, 'place')}, which will show the new file</summary>
      <Uses file={file} />
    </details>
  )

function MediaPreview({ file }: { file: MediaFile }) {
  const kind = kindOfMedia(file.format)
  // Replacing keeps the address, so bust the browser’s cache.
  const address = file.replacedAt === null ? file.address : `${file.address}?as-of=${Date.parse(file.replacedAt)}`
  if (kind === 'picture') return <img className="mediapreview" src={address} alt="" />
  if (kind === 'film' || kind === 'sound') return <OwnPlayer files={[file.address]} title={file.name} />
  if (kind === 'captions') return <CaptionsPreview file={file} />
  return (
    <ButtonAnchor look="line" icon="down" href={file.address} download={file.name}>
      Download to view it
    </ButtonAnchor>
  )
}

function CaptionsPreview({ file: { id, address, replacedAt } }: { file: MediaFile }) {
  const { data, error } = useQuery({
    queryKey: [adminKey, 'media-text', id, replacedAt],
    queryFn: () => readMediaText(address),
  })
  if (error) return <p role="alert">We couldn’t load the captions.</p>
  return data === undefined ? <Skeleton size="block" /> : <pre className="mediapreview mediapreview--text">{data}</pre>
}

function demandOf({ usedIn, format }: MediaFile): string {
  if (!usedIn.some(({ what }) => what === 'episode')) return ''
  return kindOfMedia(format) === 'picture'
    ? ' For the podcast it must be square, 1,400 to 3,000 pixels a side.'
    : ' If the new audio is longer or shorter, change the episode’s length too.'
}

/** Keeps the address, so every video and page that uses the file shows the new one. */
export function ReplaceMediaDialog({ file, onClose }: Props) {
  const { store, uploads } = useUploads()
  const input = useRef<HTMLInputElement>(null)
  const [isBegun, setBegun] = useState(false)
  const renew = useAdminRenewal()
  const own = uploads.filter(({ replaces }) => replaces === file.id)
  const last = own.at(-1)
  const take = (files: FileList | null) => {
    const [chosen] = files ?? []
    if (chosen === undefined) return
    store.add([chosen], () => ({ isPublic: file.isPublic, replaces: file.id }))
    setBegun(true)
  }
  const close = () => {
    void renew()
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={close}
      title={`Replace “${file.name}”`}
      footer={
        <>
          <Button icon="share" onClick={() => input.current?.click()}>
            {isBegun ? 'Choose another file' : 'Choose the new file'}
          </Button>
          <Button look="line" onClick={close}>
            {last === undefined || last.state === 'refused' ? 'Leave it' : 'Close'}
          </Button>
        </>
      }
    >
      <p>
        It must be another .{file.format}. The old one goes for good. The address stays the same, and the new file shows
        up within minutes.{demandOf(file)}
      </p>
      <FoldedUses file={file} />
      <input
        ref={input}
        type="file"
        hidden
        accept={`.${file.format}${file.format === 'jpg' ? ',.jpeg' : ''}${kindOfMedia(file.format) === 'picture' ? ',image/*' : ''}`}
        aria-label="The new file"
        onChange={({ target }) => {
          take(target.files)
          // So that choosing the same file again fires `change`.
          target.value = ''
        }}
      />
      {isBegun && last && <UploadList uploads={[last]} />}
    </Dialog>
  )
}

/** A file in use can’t be deleted; the dialog says where it’s used. */
export function RemoveMediaDialog({ file, onClose }: Props) {
  const action = useAdminAction({
    schema: MediaRemoved,
    send: () => api.api.admin.media({ id: file.id }).delete(),
    failure: 'We couldn’t delete the file.',
    done: { title: 'File deleted', description: file.name },
    onDone: onClose,
  })
  const isUsed = file.usedIn.length > 0
  return (
    <ConfirmDialog
      title={isUsed ? `“${file.name}” is in use` : `Delete “${file.name}”?`}
      button={isUsed ? null : 'Delete file'}
      busy="Deleting…"
      keep={isUsed ? 'Close' : 'Keep it'}
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      {isUsed ? (
        <>
          <p>Remove it from these first:</p>
          <Uses file={file} />
        </>
      ) : (
        <p>Nothing uses it. This cannot be undone.</p>
      )}
    </ConfirmDialog>
  )
}
