import { createFileRoute } from '@tanstack/react-router'
import { ContactPage } from '#pwa/features/enquiries/contact-page.tsx'
import { textPage } from '#pwa/lib/text-page.ts'

const Page = () => <ContactPage text={Route.useLoaderData()} />

export const Route = createFileRoute('/contact')({ ...textPage('contact'), component: Page })
