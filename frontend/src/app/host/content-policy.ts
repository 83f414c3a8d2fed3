// What this document may load and run, beside what TensorBoard's own policy says: nothing that a logdir holds.

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  // Angular and CodeMirror put their styles into the document.
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  // Markup in text cannot become elements, even if somebody writes it to innerHTML one day.
  "require-trusted-types-for 'script'",
  'trusted-types angular angular#bundler',
].join('; ');

/** Holds from now on, for the life of the document. */
export function restrictContent(document: Document): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = POLICY;
  document.head.append(policy);
}
