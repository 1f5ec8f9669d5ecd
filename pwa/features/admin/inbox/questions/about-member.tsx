import { MemberCommitments } from '#pwa/features/admin/kit/commitments/member-commitments.tsx'
import { questionStateLabels } from '#pwa/features/admin/kit/inbox/question-texts.ts'
import type { QuestionRecord } from '#shared/contract/questions.ts'
import { formatLongDate } from '#shared/rules/london.ts'

type Props = { record: QuestionRecord; onOpen: (id: string) => void }

/** What helps to answer: what they’ve promised, and what they asked before. */
export const AboutMember = ({ record: { member, earlier }, onOpen }: Props) => (
  <aside className="asked__side" aria-label={`More about ${member.name}`}>
    <section aria-labelledby="asked-promised">
      <h3 id="asked-promised">What they said they’d do</h3>
      <MemberCommitments memberId={member.id} name={member.name} isShort />
    </section>
    <section aria-labelledby="asked-earlier">
      <h3 id="asked-earlier">Their other questions</h3>
      {earlier.length === 0 ? (
        <p className="second">They haven’t asked anything else.</p>
      ) : (
        <ul className="plain">
          {earlier.map(({ id, askedAt, state, excerpt }) => (
            <li key={id}>
              <button type="button" className="link rowtitle" onClick={() => onOpen(id)}>
                {excerpt === '' ? 'A photo or voice note' : excerpt}
              </button>
              <small>
                {formatLongDate(askedAt)} · {questionStateLabels[state]}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  </aside>
)
