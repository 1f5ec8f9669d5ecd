import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { loadOwnApi } from '#pwa/features/payment/queries.ts'
import { StepTitle } from '#pwa/features/payment/step-title.tsx'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { LoginResponse } from '#shared/contract/auth.ts'

type Props = { token: string; onOver: (how: 'used' | 'dead') => void }

/** Mail scanners open every link and run the page's scripts, so an emailed link counts once its button is pressed. */
export default function ContinueLink({ token, onOver }: Props) {
  const toast = useToast()
  const navigate = useNavigate()
  const client = useQueryClient()
  const end = (how: 'used' | 'dead') => {
    onOver(how)
    navigate({ to: '/membership-application', search: {}, state: true, replace: true }).catch(reportError)
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { api } = await loadOwnApi(client)
      return parseResponse(LoginResponse, api.api.auth.continue.post({ token }))
    },
    onSuccess: () => end('used'),
    onError: (failed) => {
      if (!(failed instanceof RequestError && failed.code === 'invalid_token')) return
      toast({ title: 'Error', description: 'That link doesn’t work any more. Carry on below.', tone: 'bad' })
      end('dead')
    },
  })
  return (
    <>
      <StepTitle isNext={false}>Carry on joining</StepTitle>
      <p className="lead">We’ll take you back to where you were.</p>
      {error && <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t reach the site. Try again.')} />}
      <div>
        <Button icon="arrow" isBusy={isPending} busyLabel="One moment…" onClick={() => mutate()}>
          Carry on joining
        </Button>
      </div>
    </>
  )
}
