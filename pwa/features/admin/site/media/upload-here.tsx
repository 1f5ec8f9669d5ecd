import { useEffect, useRef, useState } from 'react'
import { useAdminRenewal } from '#pwa/features/admin/use-admin-action.ts'
import { Button } from '#pwa/ui/button.tsx'
import type { MediaFile } from '#shared/contract/media.ts'
import { UploadList, useUploads } from './media-upload.tsx'
import './media.css'

type Props = {
  label: string
  /** The file input’s `accept`, such as `.mp3,.m4a`. */
  accept: string
  isPublic: boolean
  /** Why this form can’t use the file; null if it can. */
  problemOf: (file: MediaFile) => string | null
  onStored: (file: MediaFile) => void
}

/** Uploads to the library from within a form. If the form is closed, the upload carries on under Media. */
export function UploadHere({ label, accept, isPublic, problemOf, onStored }: Props) {
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
    setProblem(null)
    setKeys([...keys, ...store.add(files, () => ({ isPublic, replaces: null }))])
  }
  return (
    <div className="uploadhere">
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={`${label}: file`}
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button look="line" isSmall icon="share" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <UploadList uploads={own} />
      {problem && (
        <p className="field__err" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
