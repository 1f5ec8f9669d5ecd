import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { sessionsQuery } from '#pwa/features/profile/queries.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { type OwnSession, type RevokeOwnSessionsRequest, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { formatLongDate, formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import type { AccountProps } from './account-section.tsx'
import { AccountSection } from './account-section.tsx'

export default function DevicesSection({ session, user }: AccountProps) {
  const account = { session, memberId: user.id }
  const query = useQuery(sessionsQuery(account))
  const queryClient = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (request: RevokeOwnSessionsRequest) =>
      parseResponse(RevokeSessionsResponse, session.api.api.user.sessions.revoke.post(request)),
    onSuccess: ({ revoked }) => {
      toast({ title: 'Logged out', description: `${plural(revoked, 'device')} logged out.`, tone: 'ok' })
      return queryClient.invalidateQueries({ queryKey: sessionsQuery(account).queryKey })
    },
    onError: (error) => {
      toast({ title: 'We couldn’t log it out', description: messageOf(error, 'Try again.'), tone: 'bad' })
      return queryClient.invalidateQueries({ queryKey: sessionsQuery(account).queryKey })
    },
  })
  const isEnding = (id: string) => isPending && 'id' in variables && variables.id === id
  return (
    <AccountSection title="Where you’re logged in" query={query}>
      {(sessions) => (
        <>
          <p>Lost a phone? Log it out here. We’ll delete everything of yours on it the next time it’s used.</p>
          <ul className="account__rows">
            {sessions.map((one) => (
              <Device key={one.id} device={one} isBusy={isEnding(one.id)} onEnd={() => mutate({ id: one.id })} />
            ))}
          </ul>
          {sessions.length > 1 && !user.isImpersonating && (
            <Button look="line" isSmall isBusy={isPending} onClick={() => mutate({ others: true })}>
              Log out everywhere else
            </Button>
          )}
        </>
      )}
    </AccountSection>
  )
}

const nameOf = ({ kind, device, name }: OwnSession) =>
  kind === 'terminal' ? (name ?? 'A terminal') : (device ?? 'A browser')

function Device({ device, isBusy, onEnd }: { device: OwnSession; isBusy: boolean; onEnd: () => void }) {
  const seen = device.lastSeenAt ?? device.createdAt
  return (
    <li>
      <div>
        <strong>{nameOf(device)}</strong> {device.isCurrent && <Badge tone="ok">This device</Badge>}
        <p className="second">
          {device.isCurrent ? '' : `Last seen ${formatMoment(seen)}. `}Logged in {formatLongDate(device.createdAt)}.
        </p>
      </div>
      {!device.isCurrent && (
        <Button look="line" isSmall isBusy={isBusy} onClick={onEnd} aria-label={`Log out ${nameOf(device)}`}>
          Log out
        </Button>
      )}
    </li>
  )
}
