import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useAdminRenewal } from '#pwa/features/admin/kit/use-admin-action.ts'
import { Button } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { isAccepted, useFileDrop } from '#pwa/ui/use-file-drop.ts'
import type { MediaFile } from '#shared/contract/media.ts'
import { UploadList, useUploads } from './media-upload.tsx'
import './media.css'

type Props = {
  label: string
  /** On the button, if a heading or a row already says the rest of the label. */
  shown?: string
  hint?: ReactNode
  isMany?: boolean
  /** The file input’s `accept`, such as `.mp3,.m4a`. */
  accept: string
  isPublic: boolean
  /** Why this form can’t use the file; null if it can. */
  problemOf: (file: MediaFile) => string | null
  onStored: (file: MediaFile) => void
}

/** Uploads to the library from within a form. If the form is closed, the upload carries on under Media. */
export function UploadHere({ label, shown, hint, isMany = false, accept, isPublic, problemOf, onStored }: Props) {
  const { store, uploads } = useUploads()
  const [keys, setKeys] = useState<readonly number[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const renew = useAdminRenewal()
  const own = uploads.filter(({ key }) => keys.includes(key))
  const arrived = own.find(({ stored }) => stored !== null)
  useEffect(() => {
    if (arrived?.stored == null) return
    store.remove(arrived.key)
    const unfit = problemOf(arrived.stored)
    setProblem(unfit && `${arrived.name} is in the library now. ${unfit}`)
    if (unfit === null) onStored(arrived.stored)
    renew().catch(reportError)
  })
  const add = (files: readonly File[]) => {
    const fitting = files.filter((file) => isAccepted(file, accept)).slice(0, isMany ? undefined : 1)
    const unfit = files.find((file) => !isAccepted(file, accept))
    setProblem(unfit ? `You can’t use ${unfit.name} here. Choose ${listOf(accept)}.` : null)
    setKeys([...keys, ...store.add(fitting, () => ({ isPublic, replaces: null }))])
  }
  const { isOver, zone } = useFileDrop(add)
  return (
    <div
      className={classNames('uploadhere', hint !== undefined && 'uploadhere--zone', isOver && 'uploadhere--over')}
      {...zone}
    >
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMany}
        accept={accept}
        aria-label={`${label}: file`}
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button
        look="line"
        isSmall
        icon="share"
        aria-label={shown === undefined ? undefined : label}
        onClick={() => input.current?.click()}
      >
        {shown ?? label}
      </Button>
      {hint && <p className="second">{hint}</p>}
      <UploadList uploads={own} />
      {problem && (
        <p className="field__err" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

const formats = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** “.mp3,.m4a” is “MP3 or M4A”. */
const listOf = (accept: string) => formats.format(accept.split(',').map((ending) => ending.slice(1).toUpperCase()))
