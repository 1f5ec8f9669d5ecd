import { queryOptions } from '@tanstack/react-query'
import { requestUpload, sendPiece } from '#pwa/features/admin/kit/media/queries.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import {
  busyImportStates,
  type Import,
  ImportLetters,
  ImportList,
  ImportRow,
  Import as ImportSchema,
  type ImportState,
} from '#shared/contract/imports.ts'
import { maxChunkBytes } from '#shared/contract/upload-piece.ts'

export const isBusy = ({ state }: { state: ImportState }) => busyImportStates.includes(state)

const busyMs = 1000

export const importsQuery = queryOptions({
  queryKey: [adminKey, 'imports'],
  queryFn: () => parseResponse(ImportList, api.api.admin.imports.get()),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isBusy) ? busyMs : false),
})

/** Asked again every second while the server is at work on it. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'import', id],
    queryFn: () => parseResponse(ImportSchema, api.api.admin.imports({ id }).get()),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? busyMs : false),
  })

/** As many as fit a page. The terminal's CSV has them all. */
const shownRows = 100
/** Whose each subscription is can't be told from a part of them. */
const maxRows = 1000

/** Which of a plan's rows a list shows. */
export type RowsShown = 'refused' | 'remarked' | 'double'

/** State and options are part of the key: bringing the rows in adds to them, and with other options as many rows may be others. */
export const rowsQuery = ({ id, counts, failed, state, options, kind }: Import, which: RowsShown) =>
  queryOptions({
    queryKey: [adminKey, 'import', id, which, counts, failed, state, options],
    staleTime: 0,
    queryFn: () => {
      const wanted = which === 'remarked' ? { remarked: 'true' as const } : { outcome: which }
      const limit = kind === 'stripe' ? maxRows : shownRows
      return requestListPage(ImportRow, api.api.admin.imports({ id }).rows.get({ query: { ...wanted, limit } }))
    },
  })

export const lettersQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'import', id, 'letters'],
    queryFn: () => parseResponse(ImportLetters, api.api.admin.imports({ id }).letters.get()),
    staleTime: 0,
  })

const aim = { isPublic: false, replaces: null, isImport: true }

/** Sends a file in pieces. Chosen again after a cut, it carries on where it stopped. Returns the upload's id. */
export async function sendImport(file: File, onSent: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  let begun = await requestUpload(file, aim, signal)
  while (begun.offset < file.size) {
    begun = await sendPiece(begun, file.slice(begun.offset, begun.offset + maxChunkBytes), signal)
    onSent(begun.offset)
  }
  return begun.id
}
