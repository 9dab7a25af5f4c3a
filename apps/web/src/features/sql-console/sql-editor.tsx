import { autocompletion, closeBrackets, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Transaction } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { SqlSchema } from '@tapedeck/sql-console/contract';
import { useEffect, useRef, type JSX } from 'react';

/** The colours are those of the theme, which the variables follow. */
const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-str)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-num)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--code-comment)' },
]);

const theme = EditorView.theme({
  '&': {
    minHeight: '11rem',
    maxHeight: '24rem',
    border: '1px solid var(--field)',
    borderRadius: 'var(--r)',
    background: 'var(--code-bg)',
    color: 'var(--text)',
    fontSize: 'var(--t-3)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: 'var(--lh-3)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: 'var(--s-3) 0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { background: 'transparent', color: 'var(--text-2)', border: '0' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: 'var(--accent-tint)',
  },
  '.cm-tooltip': {
    background: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--r-sm)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-tint)',
    color: 'var(--text)',
  },
});

export type SqlEditorProps = Readonly<{
  /** Replaces the text whenever it is another object: a statement of the history, say. */
  initial: Readonly<{ text: string }>;
  schema: SqlSchema | undefined;
  /** Is written at the cursor whenever it is another object. */
  inserted: Readonly<{ text: string }> | null;
  onChange: (text: string) => void;
  onExecute: (text: string) => void;
}>;

const languageOf = (schema: SqlSchema | undefined): ReturnType<typeof sql> =>
  sql({
    dialect: PostgreSQL,
    schema: Object.fromEntries(
      (schema?.tables ?? []).map(({ name, columns }) => [
        name,
        columns.map(({ name: label, type }) => ({ label, type: 'property', detail: type })),
      ]),
    ),
    // So that its columns are offered without its name.
    defaultTable: 'strategies',
  });

/**
 * Replaces a selection in the state of the editor: the browser's own editing of several lines would write style attributes,
 * which the content policy refuses.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data: text, inputType, isComposing } = event;
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== 'insertText' || text === null || isComposing) return false;
    if (empty && !text.includes('\n')) return false;
    const insert = (): Transaction =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    const isHandled = view.state
      .facet(EditorView.inputHandler)
      .some((handler) => handler(view, from, to, text, insert));
    if (!isHandled) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});

/** An editor of PostgreSQL with completion. Tab leaves it, so that the keyboard is not caught. */
const SqlEditor = ({ initial, schema, inserted, onChange, onExecute }: SqlEditorProps): JSX.Element => {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const language = useRef(new Compartment());
  const called = useRef({ onChange, onExecute });
  useEffect(() => {
    called.current = { onChange, onExecute };
  });
  useEffect(() => {
    if (!parent.current) return undefined;
    // In a shadow root the editor's styles are constructed ones, which the content policy allows.
    const root = parent.current.shadowRoot ?? parent.current.attachShadow({ mode: 'open' });
    const created = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: '',
        extensions: [
          keymap.of([
            {
              key: 'Ctrl-Enter',
              mac: 'Cmd-Enter',
              run: (editor) => {
                closeCompletion(editor);
                called.current.onExecute(editor.state.doc.toString());
                return true;
              },
            },
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          replaceSelection,
          theme,
          syntaxHighlighting(highlighting),
          language.current.of(languageOf(undefined)),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'SQL', spellcheck: 'false' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) called.current.onChange(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = created;
    return () => created.destroy();
  }, []);
  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(schema)) });
  }, [schema]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === initial.text) return;
    const { length } = initial.text;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: initial.text },
      selection: { anchor: length },
      scrollIntoView: true,
    });
    editor.focus();
  }, [initial]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || !inserted) return;
    const { from } = editor.state.selection.main;
    const before = editor.state.sliceDoc(Math.max(0, from - 1), from);
    const text = /[\w)"]/u.test(before) ? ` ${inserted.text}` : inserted.text;
    editor.dispatch(editor.state.replaceSelection(text), { scrollIntoView: true });
    editor.focus();
  }, [inserted]);
  return <div className="sql-editor" ref={parent} />;
};

// Loaded only where it is used: no other page pays for the editor.
// oxlint-disable-next-line import/no-default-export -- React.lazy takes a default export
export default SqlEditor;
