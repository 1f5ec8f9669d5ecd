import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { TakeDownDialog } from '#pwa/features/admin/kit/inbox/take-down-dialog.tsx'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { videoQuestionsQuery } from '#pwa/features/admin/videos/queries.ts'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import { Button } from '#pwa/ui/button.tsx'
import type { VideoQuestion } from '#shared/contract/questions.ts'

/** What's published below the video, also of accounts that are gone. Most videos have none, so it's only there once some are known. */
export function AskedSection({ id }: { id: string }) {
  const box = useRef<HTMLElement>(null)
  const { data, ...state } = useQuery(videoQuestionsQuery(id))
  const [hadSome, setHadSome] = useState(false)
  if (data && data.length > 0 && !hadSome) setHadSome(true)
  useKeptFocus(box, data?.length)
  if (!hadSome && state.error === null) return null
  return (
    <section ref={box} className="fields lessonform__part" aria-labelledby="video-asked">
      <h3 id="video-asked" tabIndex={-1} data-next>
        Asked by members
      </h3>
      <ListState {...state} />
      {hadSome && data?.length === 0 && <p className="second">Nothing’s published below this video any more.</p>}
      <ul className="plain">
        {data?.map((one) => (
          <AskedRow key={one.id} id={id} asked={one} />
        ))}
      </ul>
    </section>
  )
}

function AskedRow({ id, asked }: { id: string; asked: VideoQuestion }) {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { question, answer, useful } = asked
  return (
    <li className="lessonpart__row">
      <div>
        <b>{question}</b>
        <p className="lessonpart__words">{answer}</p>
        {useful > 0 && <span className="second">Useful to {useful}</span>}
      </div>
      <Button
        isSmall
        look="line"
        aria-haspopup="dialog"
        aria-label={`Take it down: ${question}`}
        onClick={() => setAsking(true)}
      >
        Take it down
      </Button>
      {isAsking && (
        <TakeDownDialog
          publishedId={asked.id}
          onDone={() =>
            queryClient.setQueryData(videoQuestionsQuery(id).queryKey, (all) =>
              all?.filter((one) => one.id !== asked.id),
            )
          }
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
