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

const exact = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** Seconds since 1970 -> "29 Nov 2026 18:57:36.674" */
export function exactTimeText(seconds: number): string {
  return exact.format(new Date(seconds * 1000)).replace(',', '');
}

/** 0.679 -> "+0.679 s"; 3723.4 -> "+1 h 2 min 3.400 s" */
export function elapsedText(seconds: number): string {
  const milliseconds = Math.round(Math.abs(seconds) * 1000);
  const hours = Math.floor(milliseconds / 3_600_000);
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  const rest = ((milliseconds % 60_000) / 1000).toFixed(3);
  const parts = [hours && `${hours} h`, (hours || minutes) && `${minutes} min`, `${rest} s`];
  return (seconds < 0 ? '−' : '+') + parts.filter(Boolean).join(' ');
}

/** A time of the run to the microsecond: 0.5000001 -> "0.5 s" */
export function secondsText(seconds: number): string {
  return `${Number(seconds.toFixed(6))} s`;
}
