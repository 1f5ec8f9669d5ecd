/** The worker asks an open page to go where a pressed notice leads. */
export const openNoticeMessage = 'open-notice'
