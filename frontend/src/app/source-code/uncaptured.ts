// Why a recorded file has no text, in plain words; pure.

/** TensorFlow records the text of a file by reading the file; what is not one on disk has no text. */
export function whyUncaptured(filePath: string): string {
  const name = filePath.slice(Math.max(filePath.lastIndexOf('/'), filePath.lastIndexOf('\\')) + 1);
  if (name.startsWith('<ipython-input') || /[/\\]ipykernel_\d+[/\\][^/\\]+$/.test(filePath)) {
    return 'it is a cell of a notebook, which lives in the notebook’s memory and not in a file that TensorFlow could read. Move the code into a .py file and import it to see its lines here.';
  }
  if (name === '<stdin>') return 'it was typed at the prompt of Python, not read from a file.';
  if (name === '<string>') {
    return 'it was run from a string, by exec(), eval() or “python -c”, not read from a file.';
  }
  if (name.startsWith('<frozen ')) return 'it is built into Python itself.';
  if (name.startsWith('<')) return 'it was made while the program ran, not read from a file.';
  return 'TensorFlow could not read this file while the program ran; it may have been moved, or be inside an archive.';
}
