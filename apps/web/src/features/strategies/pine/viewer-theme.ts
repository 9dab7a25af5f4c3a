import { EditorView } from '@codemirror/view';

/** Like the plain text that stands there until the viewer is loaded, so that nothing moves when it comes. */
export const viewerTheme = EditorView.theme({
  '&': { maxHeight: '34rem', color: 'var(--text)', fontSize: '0.78125rem' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.25rem', overflow: 'auto' },
  '.cm-content': { padding: 'var(--s-3) 0' },
  '.cm-line': { padding: '0 var(--s-6) 0 var(--s-4)' },
  '.cm-gutters': { background: 'var(--code-bg)', color: 'var(--code-comment)', border: '0' },
  '.cm-lineNumbers': { borderRight: '1px solid var(--line)' },
  '.cm-lineNumbers .cm-gutterElement': {
    minWidth: '3.25rem',
    padding: '0 var(--s-3) 0 0',
    textAlign: 'right',
    cursor: 'pointer',
  },
  '.cm-lineNumbers .cm-gutterElement:hover': { color: 'var(--text)', textDecoration: 'underline' },
  '.cm-marked': { background: 'var(--accent-tint)' },
  '.cm-gutterElement.cm-marked': { color: 'var(--text)', fontWeight: 'var(--w-medium)' },
  '.cm-match': { background: 'var(--accent-tint)', boxShadow: '0 0 0 1px var(--accent-line)' },
  '.cm-match--current, .cm-match--current *': {
    background: 'var(--accent)',
    color: 'var(--accent-ink) !important',
  },
  '@media (forced-colors: active)': {
    '.cm-marked': { outline: '1px solid Highlight', outlineOffset: '-1px' },
    '.cm-match': { outline: '1px solid CanvasText' },
    '.cm-match--current': { outline: '3px solid Highlight' },
  },
});
