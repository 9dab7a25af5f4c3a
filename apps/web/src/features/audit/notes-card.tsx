import { maxNoteLength, type MemberNote } from '@tapedeck/audit/contract';
import { useState, type FormEvent, type JSX } from 'react';
import { failureOf } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { DangerActions } from '../../ui/danger-actions.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InlineError } from '../../ui/inline-error.tsx';
import { useAddNoteMutation, useRedactNoteMutation } from './audit.api.ts';
import { formatTime } from '../../ui/format.ts';

export const noteFieldId = 'note-text';

type AddNoteProps = Readonly<{ accountId: string }>;

const AddNote = ({ accountId }: AddNoteProps): JSX.Element => {
  const [text, setText] = useState('');
  const [isPinned, setPinned] = useState(false);
  const [addNote, { isLoading, error }] = useAddNoteMutation();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const note = { text: text.trim(), isPinned, eventId: null };
    if (note.text === '') return;
    const answer = await addNote({ accountId, note });
    if (answer.error) return;
    setText('');
    setPinned(false);
  };
  return (
    <form className="note-form" onSubmit={(event) => void submit(event)}>
      <label className="label" htmlFor={noteFieldId}>
        New note
      </label>
      <textarea
        className="input"
        id={noteFieldId}
        rows={2}
        maxLength={maxNoteLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <InlineError
        problem={failureOf(error, 'The note was not saved. Your text is still here: try again.')}
      />
      <div className="row">
        <label className="check">
          <input type="checkbox" checked={isPinned} onChange={({ target }) => setPinned(target.checked)} />
          Keep it on top
        </label>
        <ActionButton
          className="btn btn--sm push"
          type="submit"
          isBusy={isLoading}
          disabled={text.trim() === ''}
        >
          {isLoading ? 'Saving...' : 'Add note'}
        </ActionButton>
      </div>
    </form>
  );
};

type NoteProps = Readonly<{ note: MemberNote; onRedact: () => void }>;

const Note = ({ note, onRedact }: NoteProps): JSX.Element => (
  <li className={note.isPinned && note.text !== null ? 'note is-pinned' : 'note'}>
    {note.text === null ? (
      <p className="meta">
        {note.redactedAt === null
          ? 'Deleted with the account.'
          : `Removed by ${note.redactedByName ?? 'a deleted account'} on ${formatTime(note.redactedAt)}.`}
      </p>
    ) : (
      <p className="note-text">{note.text}</p>
    )}
    <div className="meta row">
      <span>
        <span title={note.writtenBy}>{note.writtenByName ?? 'a deleted account'}</span>,{' '}
        {formatTime(note.writtenAt)}
      </span>
      {note.text !== null && (
        <button className="linkish push" type="button" onClick={onRedact}>
          Remove
        </button>
      )}
    </div>
  </li>
);

/** Those to keep on top first; each group with the newest first. */
const inOrder = (notes: readonly MemberNote[]): readonly MemberNote[] =>
  notes.toSorted(
    (one, other) =>
      Number(other.isPinned && other.text !== null) - Number(one.isPinned && one.text !== null) ||
      (one.writtenAt < other.writtenAt ? 1 : -1),
  );

type RemoveNoteProps = Readonly<{ accountId: string; noteId: string; onClose: () => void }>;

const RemoveNote = ({ accountId, noteId, onClose }: RemoveNoteProps): JSX.Element => {
  const [redactNote, { isLoading, error }] = useRedactNoteMutation();
  const remove = async (): Promise<void> => {
    const answer = await redactNote({ accountId, noteId });
    if (!answer.error) onClose();
  };
  return (
    <>
      <div className="dialog-body">
        <h2 id="remove-note-title">Remove the note?</h2>
        <p>Its text becomes unreadable for everyone, permanently. The record that it existed stays.</p>
        <InlineError problem={failureOf(error, 'The note was not removed: try again.')} />
      </div>
      <DangerActions
        label={isLoading ? 'Removing...' : 'Remove the note'}
        isBusy={isLoading}
        onKeep={onClose}
        onRemove={() => void remove()}
      />
    </>
  );
};

export type NotesCardProps = Readonly<{
  accountId: string;
  notes: readonly MemberNote[];
  isDeleted: boolean;
}>;

/** What support has written down about the member. */
export const NotesCard = ({ accountId, notes, isDeleted }: NotesCardProps): JSX.Element => {
  const [removed, setRemoved] = useState<string | null>(null);
  const close = (): void => setRemoved(null);
  return (
    <section className="card" aria-labelledby="notes-title">
      <div className="card-head">
        <h2 id="notes-title">Notes</h2>
      </div>
      <div className="card-pad stack">
        {!isDeleted && <AddNote accountId={accountId} />}
        {notes.length === 0 && <p className="meta">There are no notes about this member.</p>}
        {notes.length > 0 && (
          <ul className="notes">
            {inOrder(notes).map((note) => (
              <Note key={note.noteId} note={note} onRedact={() => setRemoved(note.noteId)} />
            ))}
          </ul>
        )}
      </div>
      <Dialog isOpen={removed !== null} titleId="remove-note-title" onClose={close}>
        <RemoveNote accountId={accountId} noteId={removed ?? ''} onClose={close} />
      </Dialog>
    </section>
  );
};
