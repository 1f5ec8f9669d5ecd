import { useMutation, useQuery } from '@tanstack/react-query'
import { type ChangeEvent, useRef } from 'react'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import { maxPhotoBytes, photoSide } from '#shared/contract/photo.ts'
import { type Account, photoQuery, savePhoto } from './queries.ts'

type Props = Account & { user: SessionUser; hasSignal: boolean }

/** The member's photo, and the buttons to change it. Without one it's a placeholder. */
export function PhotoSection({ user, hasSignal, ...account }: Props) {
  const { data: picture } = useQuery(photoQuery(account, user.profileImageUrl))
  const { input, save, isSaving } = useSavePhoto(account)
  const choose = ({ target: { files } }: ChangeEvent<HTMLInputElement>) => files?.[0] && save(files[0])
  const has = user.profileImageUrl !== null
  return (
    <div className="photo">
      {picture ? (
        <img src={picture} width={96} height={96} alt="You" />
      ) : (
        <span className="photo__none">
          <Icon name="person" />
        </span>
      )}
      {!user.isImpersonating && (
        <div className="photo__acts">
          <input ref={input} className="vh" type="file" accept={accepted} aria-label="Your photo" onChange={choose} />
          <Button
            look="line"
            isSmall
            disabled={!hasSignal}
            isBusy={isSaving}
            busyLabel="Saving…"
            {...(!hasSignal && { icon: 'nosignal', second: 'Needs signal' })}
            onClick={() => input.current?.click()}
          >
            {has ? 'Change photo' : 'Add a photo'}
          </Button>
          {has && hasSignal && (
            <Button look="bare" isSmall disabled={isSaving} onClick={() => save(null)}>
              Remove photo
            </Button>
          )}
          <p className="second">{has ? whoSees : `It’s up to you. ${whoSees}`}</p>
        </div>
      )}
    </div>
  )
}

const whoSees = 'Only you and the coaches can see it.'

const accepted = 'image/jpeg,image/png,image/webp'

function useSavePhoto({ session }: Account) {
  const input = useRef<HTMLInputElement>(null)
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: async (file: File | null) => savePhoto(session, file && (await toSend(file))),
    onSuccess: (_, file) => toast({ title: file ? 'Photo saved' : 'Photo removed', tone: 'ok' }),
    onError: (error, file) =>
      toast({
        title: file ? 'We couldn’t save your photo' : 'We couldn’t remove your photo',
        description: messageOf(error, error.message),
        tone: 'bad',
        duration: 10_000,
      }),
    // Lets them choose the same file again.
    onSettled: () => {
      if (input.current) input.current.value = ''
    },
  })
  return { input, save: mutate, isSaving: isPending }
}

/** Uploading a camera's picture takes minutes with one bar of signal, so we shrink it here. We send one we can't read as it is. */
async function toSend(file: File): Promise<Blob> {
  const smaller = (await shrinkPhoto(file).catch(() => null)) ?? file
  if (smaller.size > maxPhotoBytes) throw new Error('That picture’s too big. Use a JPEG, PNG or WebP up to 2 MB.')
  return smaller
}

/** Twice the stored size, so that the server has some detail to work with. Pictures keep the orientation they were taken in. */
const sentSide = 2 * photoSide

async function shrinkPhoto(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, sentSide / Math.min(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const drawing = canvas.getContext('2d')
  if (drawing === null) return null
  // Transparent parts would turn black.
  drawing.fillStyle = '#ffffff'
  drawing.fillRect(0, 0, canvas.width, canvas.height)
  drawing.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
}
