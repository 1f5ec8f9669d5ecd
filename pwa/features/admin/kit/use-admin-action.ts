import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type * as v from 'valibot'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { parseResponse } from '#pwa/lib/api.ts'
import { forgetReadPages } from '#pwa/lib/page-caches.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { untilKnown } from '#pwa/lib/until-known.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { adminKey, ownChangesQuery } from './queries.ts'

export type ActionCall = Parameters<typeof parseResponse>[1]

type Done = { title: string; description?: string; duration?: number }

type Action<Schema extends v.GenericSchema, Sent> = {
  schema: Schema
  send: (sent: Sent) => ActionCall
  /** Shown if the server sent no message. */
  failure: string
  /** Null: the page shows how it's getting on. */
  done: Done | null | ((response: v.InferOutput<Schema>) => Done)
  onDone?: (response: v.InferOutput<Schema>) => void
  /** For callers that don’t show `problem`. */
  onFailure?: (error: Error) => void
}

/** Success refetches every open admin query. On failure, `problem` says why. */
export function useAdminAction<Schema extends v.GenericSchema, Sent = void>(action: Action<Schema, Sent>) {
  const toast = useToast()
  const renew = useAdminRenewal()
  const prove = useProof()
  const queryClient = useQueryClient()
  const mutationKey = [useId()]
  const mutation = useMutation({
    mutationKey,
    mutationFn: (sent: Sent) =>
      untilKnown(
        () => prove(() => parseResponse(action.schema, action.send(sent))),
        (description) => toast({ title: 'We’re checking', description }),
      ),
    onError: action.onFailure,
    onSuccess: (response) => {
      renew(response)
      if (action.done !== null)
        toast({ tone: 'ok', ...(typeof action.done === 'function' ? action.done(response) : action.done) })
      action.onDone?.(response)
    },
  })
  const isUnderWay = (sent: Sent) =>
    queryClient.isMutating({ mutationKey, predicate: ({ state }) => Object.is(state.variables, sent) }) > 0
  return {
    ...mutation,
    /** A second press that comes before the button says it's busy sends nothing. */
    mutate: (sent: Sent) => {
      if (!isUnderWay(sent)) mutation.mutate(sent)
    },
    problem: mutation.error && messageOf(mutation.error, action.failure),
  }
}

/**
 * Call it after an owner’s own change. The saved row replaces older copies of it straight away. Lists show rows that have come or
 * gone once they’ve been refetched.
 */
export function useAdminRenewal() {
  const queryClient = useQueryClient()
  return (saved?: unknown) => {
    forgetReadPages().catch(reportError)
    if (isVersioned(saved))
      queryClient.setQueriesData({ queryKey: [adminKey] }, (held: unknown) => withRow(held, saved))
    return queryClient
      .invalidateQueries({ queryKey: [adminKey] })
      .then(() => queryClient.setQueryData(ownChangesQuery.queryKey, (count = 0) => count + 1))
      .catch(reportError)
  }
}

type Versioned = { id: string; version: number }

const isVersioned = (value: unknown): value is Versioned =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'version' in value &&
  typeof value.version === 'number'

/** Returns the same object if it holds no older copy, so that nothing is rendered again. */
function withRow(held: unknown, saved: Versioned): unknown {
  if (typeof held !== 'object' || held === null) return held
  if (isVersioned(held) && held.id === saved.id) return held.version < saved.version ? { ...held, ...saved } : held
  if (Array.isArray(held)) {
    const rows: unknown[] = held.map((one) => withRow(one, saved))
    return rows.every((one, at) => one === held[at]) ? held : rows
  }
  const entries = Object.entries(held).map(([name, one]) => [name, one, withRow(one, saved)] as const)
  return entries.every(([, before, after]) => before === after)
    ? held
    : Object.fromEntries(entries.map(([name, , after]) => [name, after]))
}
