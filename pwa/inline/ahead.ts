/**
 * In the head of the shell, which has nothing to read: requests the app's files and those of the route in one go, while the
 * browser still styles and paints. It has no syntax from after 2018.
 */
const { files = '', routes = '{}' } =
  document.currentScript instanceof HTMLScriptElement ? document.currentScript.dataset : {}
const ofRoutes: Record<string, string[]> = JSON.parse(routes)
const path = location.pathname
const ofRoute = ofRoutes[path] || ofRoutes[path.replace(/[^/]*$/, '*')] || []
for (const file of [...files.split(' '), ...ofRoute]) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  if (file.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', crossOrigin: '' })
  link.href = file
  document.head.append(link)
}
