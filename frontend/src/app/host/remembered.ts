// Small preferences kept in the browser's storage. A frame may be refused it: they are then kept for the page's life only.

const PREFIX = 'tb_debugger.';

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // Refused or full: nothing depends on it.
  }
}
