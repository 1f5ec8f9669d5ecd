import { type ChangeEvent, useId, useRef, useState } from 'react'
import { makePhotoSmall } from '#pwa/lib/photos/small-photos.ts'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import { useFileAddress } from '#pwa/sync/questions/hooks.ts'
import { Icon } from '#pwa/ui/icon.tsx'
import { maxPhotoBytes, photoSide, photosPerMessage } from '#shared/contract/questions.ts'
import { plural } from '#shared/rules/plural.ts'
import { failureText, notAddedText, tooManyText } from './photo-texts.ts'
import './photos.css'

type Props = {
  photos: readonly { id: string }[]
  /** Keeps it. Rejects with a `DraftError`. */
  onAdd: (photo: Blob) => Promise<unknown>
  onRemove: (id: string) => Promise<unknown>
  /** `hasFailed`: at its end, that a sentence here says why something wasn't added. */
  onBusy?: (isBusy: boolean, hasFailed: boolean) => void
}

const limits = { side: photoSide, bytes: maxPhotoBytes }

/** Up to three photos, from the camera or from what's on the phone, each made small before it's kept. */
export function PhotoField({ photos, onAdd, onRemove, onBusy }: Props) {
  const box = useRef<HTMLElement>(null)
  const title = useId()
  const hint = useId()
  const [progress, setProgress] = useState<{ number: number; count: number } | null>(null)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [added, setAdded] = useState(0)
  useKeptFocus(box, photos.length)
  const room = photosPerMessage - photos.length
  const add = async (files: readonly File[]) => {
    const taken = files.slice(0, room)
    const found: string[] = files.length > taken.length ? [tooManyText(files.length - taken.length)] : []
    setProblems(found)
    setAdded(0)
    onBusy?.(true, false)
    let kept = 0
    try {
      for (const [index, file] of taken.entries()) {
        setProgress({ number: index + 1, count: taken.length })
        const problem = await addOne(file, onAdd)
        if (problem) setProblems([...found, problem].slice(-photosPerMessage - 1))
        if (problem) found.push(problem)
        else kept += 1
      }
    } finally {
      setProgress(null)
      setAdded(kept)
      onBusy?.(false, found.length > 0)
    }
  }
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])]
    // The same photo may be chosen again.
    target.value = ''
    if (files.length > 0) void add(files).catch(reportError)
  }
  return (
    <section className="photos" ref={box} aria-labelledby={title}>
      <p className="label" id={title}>
        Photos
      </p>
      {photos.length > 0 && (
        <ul className="plain photos__list">
          {photos.map(({ id }, index) => (
            <li key={id}>
              <Picture id={id} alt={`Photo ${index + 1}`} />
              <button
                type="button"
                className="photos__remove"
                aria-label={`Remove photo ${index + 1}`}
                data-next={index === 0 || undefined}
                onClick={() => {
                  setProblems([])
                  setAdded(0)
                  onRemove(id).catch(reportError)
                }}
              >
                <Icon name="cross" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {room > 0 && (
        <div className="photos__add">
          <label className="btn btn--line" aria-busy={progress !== null || undefined}>
            <span>{photos.length === 0 ? 'Add photos' : 'Add another'}</span>
            <Camera />
            <input
              className="vh"
              type="file"
              accept="image/*"
              multiple={room > 1}
              disabled={progress !== null}
              aria-describedby={photos.length === 0 && progress === null ? hint : undefined}
              data-next={photos.length === 0 || undefined}
              onChange={choose}
            />
          </label>
          {photos.length === 0 && progress === null && (
            <p className="second" id={hint}>
              Up to {photosPerMessage}. Take them now, or choose ones you’ve got.
            </p>
          )}
        </div>
      )}
      <p className="second" role="status">
        {progress
          ? progress.count === 1
            ? 'Making your photo smaller…'
            : `Making photo ${progress.number} of ${progress.count} smaller…`
          : added > 0 && <span className="vh">{plural(added, 'photo')} added.</span>}
      </p>
      {problems.length > 0 && (
        <div role="alert">
          {problems.map((problem) => (
            <p className="field__err" key={problem}>
              <Icon name="cross" />
              {problem}
            </p>
          ))}
        </div>
      )}
    </section>
  )
}

/** What's wrong with it, as a sentence; null once it's kept. */
async function addOne(file: File, onAdd: Props['onAdd']): Promise<string | null> {
  const small = await makePhotoSmall(file, limits)
  if ('failure' in small) return failureText(small.failure, file.name)
  try {
    await onAdd(small.blob)
    return null
  } catch (error) {
    return notAddedText(error, file.name)
  }
}

function Picture({ id, alt }: { id: string; alt: string }) {
  const address = useFileAddress(id)
  return address && <img src={address} alt={alt} decoding="async" />
}

const Camera = () => (
  <svg className="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="M3 7h4.5L9 4.5h6L16.5 7H21v12.5H3zM12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8z" />
  </svg>
)
