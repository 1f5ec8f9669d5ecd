import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { PublishedQuestion, PublishedQuestionList } from '#shared/contract/questions.ts'
import './published-questions.css'

type Session = NonNullable<ReturnType<typeof useSession>>

/** What others asked about this video, with the coach’s answers. Without signal, what this page has already read. */
export default function PublishedQuestions({ videoId, hasSignal }: { videoId: string; hasSignal: boolean }) {
  const session = useSession()
  return session && <Published session={session} videoId={videoId} hasSignal={hasSignal} />
}

const shownAtFirst = 5
const freshMs = 5 * 60_000

const keyOf = (videoId: string) => ['published-questions', videoId]

type Props = { session: Session; videoId: string; hasSignal: boolean }

function Published({ session, videoId, hasSignal }: Props) {
  const { data = [] } = useQuery({
    queryKey: keyOf(videoId),
    queryFn: () =>
      parseResponse(PublishedQuestionList, session.api.api.members.videos({ id: videoId }).questions.get()),
    enabled: hasSignal,
    staleTime: freshMs,
  })
  const [isWhole, setWhole] = useState(false)
  if (data.length === 0) return null
  const shown = isWhole ? data : data.slice(0, shownAtFirst)
  return (
    <section className="lesson__asked" aria-labelledby="lesson-asked">
      <h2 id="lesson-asked">Asked by members</h2>
      <ul className="plain">
        {shown.map((one) => (
          <li key={one.id}>
            <h3 id={headingOf(one)}>{one.question}</h3>
            <p className="lesson__answer">{one.answer}</p>
            <UsefulButton session={session} videoId={videoId} published={one} />
          </li>
        ))}
      </ul>
      {shown.length < data.length && (
        <Button isSmall look="line" onClick={() => setWhole(true)}>
          Show all {data.length}
        </Button>
      )}
    </section>
  )
}

const headingOf = ({ id }: PublishedQuestion) => `asked-${id}`

type UsefulProps = Omit<Props, 'hasSignal'> & { published: PublishedQuestion }

function UsefulButton({ session, videoId, published }: UsefulProps) {
  const { id, useful, isUsefulToMe } = published
  const { mutate, isPending } = useUseful(session, videoId)
  return (
    <Button
      isSmall
      look={isUsefulToMe ? 'picked' : 'line'}
      {...(isUsefulToMe && { icon: 'tick' as const })}
      aria-pressed={isUsefulToMe}
      aria-describedby={headingOf(published)}
      isBusy={isPending}
      second={useful > 0 && `to ${useful}`}
      onClick={() => mutate({ id, isUseful: !isUsefulToMe })}
    >
      Useful
    </Button>
  )
}

type Press = { id: string; isUseful: boolean }

/** It’s shown straight away, and put right once the server has answered. */
function useUseful(session: Session, videoId: string) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const change = (id: string, after: (before: PublishedQuestion) => PublishedQuestion) =>
    queryClient.setQueryData<PublishedQuestion[]>(keyOf(videoId), (all) =>
      all?.map((one) => (one.id === id ? after(one) : one)),
    )
  const press = ({ id, isUseful }: Press) => change(id, (one) => pressed(one, isUseful))
  return useMutation({
    mutationFn: ({ id, isUseful }: Press) => {
      const { useful } = session.api.api.members['published-questions']({ id })
      return parseResponse(PublishedQuestion, isUseful ? useful.put() : useful.delete())
    },
    onMutate: press,
    onSuccess: (saved) => change(saved.id, () => saved),
    onError: (error, { id, isUseful }) => {
      press({ id, isUseful: !isUseful })
      // Taken down since this page read them.
      if (error instanceof RequestError && error.status === 404)
        queryClient.invalidateQueries({ queryKey: keyOf(videoId) }).catch(reportError)
      toast({ title: 'We couldn’t save that', description: messageOf(error, 'Try again.'), tone: 'bad' })
    },
  })
}

const pressed = (one: PublishedQuestion, isUsefulToMe: boolean): PublishedQuestion => ({
  ...one,
  isUsefulToMe,
  useful: one.useful + Number(isUsefulToMe) - Number(one.isUsefulToMe),
})
