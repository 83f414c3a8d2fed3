// Entry point. TensorBoard's plugin_entry.html imports this module once for the life of the frame and calls `render()`.
import { bootstrapApplication } from '@angular/platform-browser';
import { App } from './app/app';
import { appConfig } from './app/app-config';
import { restrictContent } from './app/host/content-policy';

/** There is no index.html of ours, so the stylesheet beside this module is linked here. */
function linkStylesheet(): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL('styles.css', import.meta.url).href;
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    document.head.append(link);
  });
}

/** Shows the debugger in this document. */
export async function render(): Promise<void> {
  restrictContent(document);
  document.documentElement.lang = 'en';
  document.title = 'Debugger V2';
  await linkStylesheet();
  document.body.append(document.createElement('tbd-root'));
  await bootstrapApplication(App, appConfig);
}
