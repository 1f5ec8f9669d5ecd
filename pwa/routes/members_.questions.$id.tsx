import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'

export const Route = createFileRoute('/members_/questions/$id')({
  head: ({ match }) => ({ meta: [{ title: `Your question: ${match.context.content.brand.name}` }] }),
  component: lazyPage(
    () => import('#pwa/features/members/questions/question-page.tsx'),
    ({ QuestionPage }) => <QuestionPage id={Route.useParams().id} />,
  ),
})
