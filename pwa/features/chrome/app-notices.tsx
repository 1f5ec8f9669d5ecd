/** News about the app itself; comes after the page has started. */
const AppNotices = () => null

export default AppNotices
