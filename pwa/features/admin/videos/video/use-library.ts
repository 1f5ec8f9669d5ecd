import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { choicesQuery } from '#pwa/features/admin/kit/media/queries.ts'
import type { MediaFile } from '#shared/contract/media.ts'
import type { MediaKind } from '#shared/values/media.ts'

/** The library’s files of these kinds, with those uploaded here that it hasn’t listed yet. */
export function useLibrary(kinds: readonly MediaKind[]) {
  const { data: stored = [] } = useQuery(choicesQuery(kinds))
  const [uploaded, setUploaded] = useState<readonly MediaFile[]>([])
  const files = [...uploaded.filter(({ id }) => !stored.some((one) => one.id === id)), ...stored]
  return {
    files,
    fileOf: (id: string) => files.find((file) => file.id === id),
    addUploaded: (file: MediaFile) => setUploaded([...uploaded, file]),
  }
}

export const videoFileKinds = ['film', 'sound'] as const
export const handoutKinds = ['document', 'picture', 'sound'] as const
