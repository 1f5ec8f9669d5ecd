// A minimal page that shows the rows without signal: it reads IndexedDB and makes plain elements.
const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const opening = indexedDB.open('plain-list', 1)
opening.onupgradeneeded = () => {
  opening.result.createObjectStore('videos', { keyPath: 'id' })
  opening.result.createObjectStore('progress', { keyPath: 'videoId' })
  opening.result.createObjectStore('questions', { keyPath: 'id' })
}
const database = await resultOf(opening)

const fill = async () => {
  for (const [name, path] of [
    ['videos', '/videos.json'],
    ['progress', '/progress.json'],
    ['questions', '/questions.json'],
  ]) {
    const read = await (await fetch(path)).json()
    const rows = read.questions?.map(({ messages, ...row }) => ({ ...row, text: messages[0].text })) ?? read
    const store = database.transaction(name, 'readwrite').objectStore(name)
    await Promise.all(rows.map((row) => resultOf(store.put(row))))
  }
}

const element = (name, text, ...children) => {
  const made = document.createElement(name)
  made.append(text, ...children)
  return made
}

const rowOf = (video, number, isCompleted) => {
  const row = element(
    'li',
    element('span', String(number)),
    element('h4', video.title),
    element('p', `${video.duration ?? ''} min`, element('b', isCompleted ? 'Completed' : 'Not completed')),
    element('p', video.description ?? ''),
    element('span', 'Needs signal'),
    element('button', isCompleted ? 'Mark Incomplete' : 'Mark Complete'),
  )
  row.className = 'row'
  return row
}

const questionRow = (question) => {
  const link = element('a', question.text)
  link.href = `/questions/${question.id}`
  const about = question.video ? ` · ${question.video.title}` : ''
  const row = element(
    'li',
    element('div', link, element('p', new Date(question.askedAt).toLocaleDateString('en-GB') + about)),
    element('p', element('b', question.state)),
  )
  row.className = 'row'
  return row
}

const showQuestions = async () => {
  const questions = await resultOf(database.transaction('questions').objectStore('questions').getAll())
  document.querySelector('#rows').append(...questions.map(questionRow))
}

const showVideos = async () => {
  const stores = database.transaction(['videos', 'progress'])
  const all = (name) => resultOf(stores.objectStore(name).getAll())
  const [videos, progress] = await Promise.all([all('videos'), all('progress')])
  const completed = new Set(progress.filter((row) => row.completed).map((row) => row.videoId))
  document
    .querySelector('#rows')
    .append(...videos.map((video, place) => rowOf(video, place + 1, completed.has(video.id))))
}

if (!navigator.serviceWorker.controller) {
  await fill()
  navigator.serviceWorker.register('/plain-list-worker.js')
}
await (location.search === '' ? showVideos() : showQuestions())
