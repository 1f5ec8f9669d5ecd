import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
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

type Props = { label: string; onStored: (picture: StoredPicture) => void }

/** Uploads a picture. The server turns it upright, shrinks it to screen size and strips its EXIF data. */
export function PictureButton({ label, onStored }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const prove = useProof()
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > mostBytes) throw new Error('This picture’s over 15 MB. Choose a smaller one.')
      const content = await contentOf(file)
      const stored = await prove(() => parseResponse(MediaFile, api.api.admin.media.post({ name: file.name, content })))
      return withSize(stored.address)
    },
    onSuccess: onStored,
  })
  return (
    <div className="picturebtn">
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
      {upload.error && (
        <p className="field__err" role="alert">
          {upload.error instanceof TypeError
            ? 'We couldn’t read the picture.'
            : messageOf(upload.error, upload.error.message)}
        </p>
      )}
    </div>
  )
}

type FieldProps = {
  name: string
  label: string
  hint: string
  button: string
  initial: string | undefined
  error: string | undefined
}

export function PictureField({ name, label, hint, button, initial, error }: FieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState(initial ?? '')
  const store = ({ address }: StoredPicture) => {
    if (!field.current) return
    field.current.value = address
    field.current.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <div className="f3 picturefield">
      <TextField
        ref={field}
        label={label}
        name={name}
        autoComplete="off"
        spellCheck={false}
        hint={hint}
        defaultValue={initial}
        error={error}
        onInput={({ currentTarget }) => setShown(currentTarget.value)}
      />
      <PictureButton label={button} onStored={store} />
      {/^\/(pictures|media)\/[\w./-]+$/.test(shown) && <img src={shown} alt="" className="picturefield__shown" />}
    </div>
  )
}
