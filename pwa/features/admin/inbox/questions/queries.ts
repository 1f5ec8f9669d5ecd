import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { QuestionRecord, SavedReplyList } from '#shared/contract/questions.ts'

const calls = api.api.admin

/** Looked for again while it's open: the other owner may be answering it, and its photos may still be coming. */
export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'question', id],
    queryFn: () => parseResponse(QuestionRecord, calls.questions({ id }).get()),
    staleTime: 0,
    refetchInterval: 15_000,
    refetchOnReconnect: true,
  })

export const savedRepliesQuery = queryOptions({
  queryKey: [adminKey, 'saved-replies'],
  queryFn: () => parseResponse(SavedReplyList, calls['saved-replies'].get()),
  staleTime: 0,
})
