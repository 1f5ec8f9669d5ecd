import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Import, type ImportOptions } from '#shared/contract/imports.ts'
import { importQuery } from './queries.ts'

/** The plan takes the answer over straight away, so that its buttons are never those of the state before. */
function useShown() {
  const queryClient = useQueryClient()
  return (shown: Import) => queryClient.setQueryData(importQuery(shown.id).queryKey, shown)
}

export function useImportAction(id: string, what: 'apply' | 'cancel' | 'undo', onDone?: () => void) {
  const show = useShown()
  return useAdminAction({
    schema: Import,
    send: () => api.api.admin.imports({ id })[what].post(),
    failure: 'That didn’t work.',
    done: null,
    onDone: (shown) => {
      show(shown)
      onDone?.()
    },
  })
}

export type Reading = ReturnType<typeof useReading>

/** What an owner has chosen. Until it's read, the plan still counts the old choices, so it mustn't be done. */
export function useReading({ id, kind, options }: Import) {
  const [chosen, setChosen] = useState<ImportOptions | null>(null)
  const show = useShown()
  const action = useAdminAction({
    schema: Import,
    send: (wanted: ImportOptions) => api.api.admin.imports({ id }).plan.post({ options: wanted }),
    failure: kind === 'stripe' ? 'We couldn’t read Stripe again.' : 'We couldn’t read the file again.',
    done: null,
    onDone: (shown) => {
      show(shown)
      setChosen(null)
    },
  })
  const wanted = chosen ?? options
  const { isPending, error } = action
  const [field] = error instanceof RequestError ? Object.values(error.fields) : []
  const problem = field ?? action.problem
  return {
    wanted,
    isPending,
    problem,
    isChanged: hashKey([wanted]) !== hashKey([options]),
    choose: (change: Partial<ImportOptions>) => setChosen({ ...wanted, ...change }),
    read: () => action.mutate(wanted),
  }
}
