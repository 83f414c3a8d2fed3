// Times as people read them.

const withHour = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const withYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** Seconds since 1970 -> "29 Nov 18:57", or "29 Nov 2025" for another year. */
export function startTimeText(seconds: number, now = Date.now()): string {
  const time = new Date(seconds * 1000);
  const thisYear = time.getFullYear() === new Date(now).getFullYear();
  return (thisYear ? withHour : withYear).format(time).replace(',', '');
}
