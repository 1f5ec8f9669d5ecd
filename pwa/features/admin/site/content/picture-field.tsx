import { type ChangeEvent, useRef, useState } from 'react'
import { hintOf, labelOf } from '#pwa/features/admin/kit/content-texts.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { MediaFile } from '#shared/contract/media.ts'
import { type FieldProps, idOf, nameIn } from './use-page-draft.ts'

/** Base64 adds a third, and the server takes up to 20 MB. */
const mostBytes = 14 * 1024 * 1024

/** The server strips the EXIF data, location included. */
export function PictureField({ field, path, value, form }: FieldProps) {
  const [told, setTold] = useState<string | null>(null)
  const action = useAdminAction({
    schema: MediaFile,
    send: (picture: { name: string; content: string }) => api.api.admin.media.post(picture),
    failure: 'We couldn’t save the picture.',
    done: ({ name }) => ({ title: 'Picture saved', description: `${name} is in your draft.` }),
    onDone: ({ address }) => form.change(path, address),
  })
  const input = useRef<HTMLInputElement>(null)
  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (file === undefined) return
    setTold(null)
    if (file.size > mostBytes) return setTold('This picture’s over 14 MB. Choose a smaller one.')
    action.mutate({ name: file.name, content: await base64Of(file) })
  }
  const address = typeof value === 'string' ? value : ''
  const problem = told ?? action.problem ?? form.problems[path]
  const label = labelOf(nameIn(path))
  return (
    <div className="words__picture">
      {address === '' ? <span className="second">None</span> : <img src={address} alt="" width={96} height={96} />}
      <div>
        <label htmlFor={idOf(path)}>{label}</label>
        <input
          ref={input}
          id={idOf(path)}
          className="vh"
          tabIndex={-1}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/svg+xml"
          aria-describedby={`${idOf(path)}-said`}
          onChange={(event) => void take(event).catch(reportError)}
        />
        <Button look="line" isSmall icon="share" isBusy={action.isPending} onClick={() => input.current?.click()}>
          {address === '' ? 'Choose a picture' : 'Replace it'} <span className="vh">: {label}</span>
        </Button>
        <p className={problem ? 'field__err' : 'second'} id={`${idOf(path)}-said`} role="status">
          {action.isPending
            ? 'Saving…'
            : (problem ?? ['JPEG, PNG, WebP or SVG.', hintOf(path)].filter(Boolean).join(' '))}
        </p>
        {'mayBeEmpty' in field && field.mayBeEmpty && address !== '' && (
          <Button look="bare" isSmall onClick={() => form.change(path, '')}>
            Remove it <span className="vh">: {label}</span>
          </Button>
        )}
      </div>
    </div>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  // In chunks: a photo’s bytes are too many arguments for one call.
  const parts = Array.from({ length: Math.ceil(bytes.length / 0x8000) }, (_, at) =>
    String.fromCharCode(...bytes.subarray(at * 0x8000, (at + 1) * 0x8000)),
  )
  return btoa(parts.join(''))
}
