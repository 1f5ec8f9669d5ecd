import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { AccountProps } from '#pwa/features/profile/account/account-section.tsx'
import type { Account } from '#pwa/features/profile/queries.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { SignInWays } from '#shared/contract/sign-in.ts'

/** What the sections need of the account, and what they do with codes that are shown once. */
export type SignInMethodProps = AccountProps & { ways: SignInWays; onCodes: (codes: readonly string[]) => void }

export const signInQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['account', memberId, 'sign-in'],
    queryFn: () => parseResponse(SignInWays, session.api.api.user['sign-in'].get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

/** After a change: refetches what we show of the account. */
export function useSignInMethodsRefresh({ memberId }: Pick<Account, 'memberId'>) {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['account', memberId] })
}
