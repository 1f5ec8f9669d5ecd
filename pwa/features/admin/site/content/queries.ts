import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import {
  ContentChangeList,
  ContentDraftList,
  ContentDraftState,
  ContentHistory,
  type ContentPage,
  ContentPageState,
} from '#shared/contract/admin-content.ts'
import { UnfinishedList } from '#shared/contract/content-check.ts'
import { MailTextList } from '#shared/contract/texts/mails.ts'

const always = { staleTime: 0, refetchOnReconnect: true } as const

export async function requestContent() {
  const [changes, drafts, unfinished] = await Promise.all([
    parseResponse(ContentChangeList, api.api.admin.content.get()),
    parseResponse(ContentDraftList, api.api.admin['content-drafts'].get()),
    parseResponse(UnfinishedList, api.api.admin.unfinished.get()),
  ])
  return { changes, drafts, unfinished }
}

export const contentQuery = queryOptions({ queryKey: [adminKey, 'words'], queryFn: requestContent, ...always })

/** Refetched during editing, since the other owner may publish too. */
export const pageStateQuery = (page: ContentPage) =>
  queryOptions({
    queryKey: [adminKey, 'words', page, 'page'],
    queryFn: () => parseResponse(ContentPageState, api.api.admin.content({ page }).get()),
    ...always,
    refetchInterval: 30_000,
  })

export const draftQuery = (page: ContentPage) =>
  queryOptions({
    queryKey: ['owner-words', page, 'draft'],
    queryFn: () => parseResponse(ContentDraftState, api.api.admin.content({ page }).draft.get()),
    ...always,
    refetchOnMount: 'always',
  })

export const historyQuery = (page: ContentPage) =>
  queryOptions({
    queryKey: [adminKey, 'words', page, 'history'],
    queryFn: () => parseResponse(ContentHistory, api.api.admin.content({ page }).history.get()),
    ...always,
  })

/** `edition` in the key refetches them after each saved change. */
export const mailTextsQuery = (edition: number) =>
  queryOptions({
    queryKey: [adminKey, 'words', 'mail-words', edition],
    queryFn: () => parseResponse(MailTextList, api.api.admin['mail-words'].get()),
    placeholderData: keepPreviousData,
    ...always,
  })
