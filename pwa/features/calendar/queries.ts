import { queryOptions } from '@tanstack/react-query'
import { api, parseResponse } from '#pwa/lib/api.ts'
import {
  CallSlotsResponse,
  LinkedCall,
  LinkedCallSlots,
  type MemberCallRequest,
  MemberCallResponse,
  type VisitorCallRequest,
  VisitorCallResponse,
} from '#shared/contract/calendar.ts'
import type { CallKind } from '#shared/contract/call-kind.ts'

/** We request free times every time we show them, because others keep booking. */
const fresh = { staleTime: 0, gcTime: 0, refetchOnReconnect: true }

export const slotsQuery = (kind: CallKind, coach: string | undefined) =>
  queryOptions({
    ...fresh,
    queryKey: ['call-slots', kind, coach ?? ''],
    queryFn: () =>
      parseResponse(
        CallSlotsResponse,
        api.api.calendar.slots({ kind }).get({ query: coach === undefined ? {} : { coach } }),
      ),
  })

/** The idempotency key stops a retry after a lost response making a second call. */
export const holdCall = ({ key, ...request }: VisitorCallRequest & { key: string }) =>
  parseResponse(VisitorCallResponse, api.api.calendar.holds.post(request, { headers: { 'idempotency-key': key } }))

export const bookCall = ({ key, ...request }: MemberCallRequest & { key: string }) =>
  parseResponse(MemberCallResponse, api.api.calendar.calls.post(request, { headers: { 'idempotency-key': key } }))

export const linkedCallQuery = (token: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['linked-call', token],
    queryFn: () => parseResponse(LinkedCall, api.api.calendar.call.get({ query: { token } })),
  })

export const linkedSlotsQuery = (token: string) =>
  queryOptions({
    ...fresh,
    queryKey: ['linked-call-slots', token],
    queryFn: () => parseResponse(LinkedCallSlots, api.api.calendar.call.slots.get({ query: { token } })),
  })

export const confirmLinkedCall = (token: string) =>
  parseResponse(LinkedCall, api.api.calendar.call.confirm.post({ token }))

export const moveLinkedCall = (request: { token: string; startsAt: string }) =>
  parseResponse(LinkedCall, api.api.calendar.call.move.post(request))

export const cancelLinkedCall = (token: string) =>
  parseResponse(LinkedCall, api.api.calendar.call.cancel.post({ token }))
