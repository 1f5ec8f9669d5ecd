import { isTooOld } from '#pwa/lib/too-old.ts'

/**
 * In pages that only the browser can render, says why nothing comes: the browser is too old, or the app didn't load. Browsers of any
 * age read it, so it has no syntax from after 2009.
 */
function showStopped(): void {
  var page = document.getElementById('stopped')
  if (page === null) return
  var place = /^\/(members|admin|login)(\/|$)/.test(location.pathname) ? 'the members’ area' : 'this page'
  var words = isTooOld()
    ? 'Your browser is too old for '.concat(place, '.</h1><p class="lead">Update it, or open this on another phone.')
    : 'We couldn’t load this page</h1><p class="lead">Check your signal and <a class="link" href="">try again</a>.'
  page.innerHTML = '<div class="wrap page-section__head"><h1>'.concat(words, '</p></div>')
  page.removeAttribute('hidden')
}

window.showStopped = showStopped
if (isTooOld()) showStopped()
