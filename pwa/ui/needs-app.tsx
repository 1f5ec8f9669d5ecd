/** In a public page's HTML: it isn't whole without the app, so `pwa/inline/start.ts` starts that without waiting for a press. */
export const NeedsApp = () => <span data-needs-app="" hidden />
