import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { fieldBeside, useWrittenField, writeField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { choicesQuery } from '#pwa/features/admin/kit/media/queries.ts'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { DropHint } from '#pwa/ui/drop-hint.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useFileDrop } from '#pwa/ui/use-file-drop.ts'
import { MediaFile } from '#shared/contract/media.ts'

/** Without a size where the browser couldn’t read it. */
export type StoredPicture = { address: string; width?: number; height?: number }

const mostBytes = 15 * 1024 ** 2

/** Base64 without the `data:` prefix, as the server takes it. */
const contentOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** Measures the picture, so that pages can keep its place while it loads. */
async function withSize(address: string): Promise<StoredPicture> {
  const image = new Image()
  image.src = address
  await image.decode?.().catch(() => {})
  const { naturalWidth: width, naturalHeight: height } = image
  return width > 0 && height > 0 ? { address, width, height } : { address }
}

/** The server turns a picture upright, shrinks it to screen size and strips its EXIF data. */
function usePictureUpload(onStored: (picture: StoredPicture) => void) {
  const prove = useProof()
  return useMutation({
    mutationFn: async (file: File) => {
      if (file.size > mostBytes) throw new Error('This picture’s over 15 MB. Choose a smaller one.')
      const content = await contentOf(file)
      const stored = await prove(() => parseResponse(MediaFile, api.api.admin.media.post({ name: file.name, content })))
      return withSize(stored.address)
    },
    onSuccess: onStored,
  })
}

type Upload = ReturnType<typeof usePictureUpload>

type Props = { label: string; onStored: (picture: StoredPicture) => void }

/** Uploads a picture. */
export function PictureButton({ label, onStored }: Props) {
  const upload = usePictureUpload(onStored)
  return (
    <div className="picturebtn">
      <UploadButton label={label} upload={upload} />
      <UploadProblem upload={upload} />
    </div>
  )
}

function UploadButton({ label, upload }: { label: string; upload: Upload }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/svg+xml"
        aria-label={`${label}: file`}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) upload.mutate(file)
          target.value = ''
        }}
      />
      <Button
        look="line"
        isSmall
        icon="share"
        isBusy={upload.isPending}
        busyLabel="Uploading…"
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  )
}

const UploadProblem = ({ upload: { error } }: { upload: Upload }) =>
  error && (
    <p className="field__err" role="alert">
      {error instanceof TypeError ? 'We couldn’t read the picture.' : messageOf(error, error.message)}
    </p>
  )

type FieldProps = {
  name: string
  label: string
  hint: string
  /** The field of what it shows, for people who can’t see it. */
  says?: { name: string; error: string | undefined }
  values: FormValues
  error: string | undefined
}

/** A picture and what it shows, in one place: dropped, uploaded or chosen from the library, and taken away again. */
export function PictureField({ name, label, hint, says, values, error }: FieldProps) {
  const { field, value, write } = useWrittenField(name, values[name])
  const [isChoosing, setChoosing] = useState(false)
  const choose = (address: string) => {
    // What the last one showed isn’t what this one shows.
    if (says && address !== value) writeField(fieldBeside(field.ref.current, says.name), '')
    write(address)
  }
  const upload = usePictureUpload(({ address }) => choose(address))
  const { isOver, zone } = useFileDrop(([file]) => file && upload.mutate(file))
  const thing = label.toLowerCase()
  return (
    <fieldset className={classNames('picturefield', isOver && 'picturefield--over')} {...zone}>
      <legend>{label}</legend>
      <input type="hidden" {...field} />
      {value !== '' && <img src={value} alt={`The ${thing} chosen`} className="picturefield__shown" />}
      <p className="second">{hint}</p>
      <div className="acts">
        <UploadButton label={value === '' ? `Upload a ${thing}` : `Replace the ${thing}`} upload={upload} />
        <Button look="line" isSmall icon="list" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
          From the library
        </Button>
        {value !== '' && (
          <Button look="bare" isSmall onClick={() => write('')}>
            Remove the {thing}
          </Button>
        )}
        <span className="second">{value === '' && <DropHint>Or drop it here.</DropHint>}</span>
      </div>
      <UploadProblem upload={upload} />
      {error && (
        <p className="field__err" role="alert">
          {error}
        </p>
      )}
      {says && value !== '' && (
        <TextField
          label="What it shows"
          name={says.name}
          maxLength={200}
          autoComplete="off"
          hint="Read out to people who can’t see it."
          defaultValue={values[says.name]}
          error={says.error}
        />
      )}
      {isChoosing && (
        <LibraryDialog
          onChoose={(address) => {
            setChoosing(false)
            choose(address)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  )
}

type LibraryProps = { onChoose: (address: string) => void; onClose: () => void }

/** The pictures everyone may see. */
function LibraryDialog({ onChoose, onClose }: LibraryProps) {
  const { data, error } = useQuery(choicesQuery(['picture'], 'everybody'))
  return (
    <Dialog isOpen isWide onClose={onClose} title="Choose a picture">
      {error ? (
        <Banner tone="bad" role="status" title={messageOf(error, 'We couldn’t load the library.')} />
      ) : data === undefined ? (
        <Skeleton size="block" />
      ) : data.length === 0 ? (
        <p>No pictures in the library yet. Upload one.</p>
      ) : (
        <ul className="plain picturelist">
          {data.map(({ id, name, address }) => (
            <li key={id}>
              <button type="button" onClick={() => onChoose(address)}>
                <img src={address} alt="" loading="lazy" />
                <span>{name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
