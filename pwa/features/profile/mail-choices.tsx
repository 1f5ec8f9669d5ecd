import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AccountProps } from '#pwa/features/profile/account/account-section.tsx'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { CheckField } from '#pwa/ui/field.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { type MailChoice, MailChoiceList } from '#shared/contract/account.ts'
import { AccountSection } from './account/account-section.tsx'
import { mailTexts } from './mail-texts.ts'
import { mailChoicesQuery } from './queries.ts'

export default function MailChoicesSection({ session, user }: AccountProps) {
  const { queryKey, ...options } = mailChoicesQuery({ session, memberId: user.id })
  const query = useQuery({ queryKey, ...options })
  const queryClient = useQueryClient()
  const toast = useToast()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (choice: MailChoice) => parseResponse(MailChoiceList, session.api.api.user['mail-choices'].put(choice)),
    onSuccess: (choices) => {
      queryClient.setQueryData(queryKey, choices)
      toast({ title: 'Email choice saved', tone: 'ok' })
    },
    onError: (error) => {
      toast({ title: 'We couldn’t save your choice', description: messageOf(error, 'Try again.'), tone: 'bad' })
    },
  })
  const isOn = ({ purpose, isWanted }: MailChoice) =>
    isPending && variables.purpose === purpose ? variables.isWanted : isWanted
  return (
    <AccountSection title="Emails you can switch on and off" query={query}>
      {(choices) => (
        <>
          {choices.map((choice) => (
            <CheckField
              key={choice.purpose}
              label={mailTexts[choice.purpose]}
              checked={isOn(choice)}
              disabled={user.isImpersonating}
              onChange={({ target }) => mutate({ purpose: choice.purpose, isWanted: target.checked })}
            />
          ))}
          <p className="second">
            You’ll always get emails about payments and your account. Emails about answers and your list are under
            Notices.
          </p>
        </>
      )}
    </AccountSection>
  )
}
