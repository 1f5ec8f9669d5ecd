import { queryOptions } from '@tanstack/react-query'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Invitation } from '#shared/contract/invitation.ts'

/** What an owner's signed link says. */
export const invitationQuery = (link: string) =>
  queryOptions({
    queryKey: ['invitation', link],
    queryFn: () => parseResponse(Invitation, api.api.invitation.get({ query: { invitation: link } })),
    refetchOnReconnect: true,
  })

/** The link has run out, or its tier isn't sold any more. */
export const isOver = (error: Error | null | undefined): error is RequestError =>
  error instanceof RequestError && (error.code === 'invalid_link' || error.code === 'conflict')
