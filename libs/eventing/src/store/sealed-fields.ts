import type { JsonValue } from '@tapedeck/kernel';
import type { EventStore } from '../event-store.ts';
import { forgotten, type Forgotten, type Sealed } from '../event-types.ts';
import { open, personalKeyMissing, type KeyState, type PersonalDataKeys } from './personal-data-keys.ts';

/** Binds an encrypted field to its event: it cannot be decrypted in another one. */
export const contextOf = (eventId: string, field: string): string => `${eventId}/${field}`;

/** Everything that is needed to decrypt the field of an event, except the key. */
type SealedField = Readonly<{
  subject: string;
  keyId: string;
  eventId: string;
  field: string;
  ciphertext: string;
}>;

/** The ciphertext is copied: the same event gives the same text, at any time and without the key. */
export const sealedText = ({ subject, keyId, eventId, field, ciphertext }: SealedField): Sealed =>
  [subject, keyId, eventId, field, ciphertext].join('.') as Sealed;

/** A field that was not encrypted when its event was written: it was listed as personal later. */
export const unencryptedText = (value: JsonValue): Sealed => `.${JSON.stringify(value)}` as Sealed;

const parse = (sealed: Sealed): SealedField | undefined => {
  const [ciphertext, field, eventId, keyId, ...subject] = sealed.split('.').toReversed();
  if (ciphertext === undefined || !field || !eventId || !keyId || subject.length === 0) return undefined;
  return { subject: subject.toReversed().join('.'), keyId, eventId, field, ciphertext };
};

const unsealOne = (
  { subject, keyId, eventId, field, ciphertext }: SealedField,
  key: KeyState | undefined,
): JsonValue | Forgotten => {
  if (key === 'forgotten') return forgotten;
  if (key?.id !== keyId) throw personalKeyMissing(subject);
  const plain = open(key.secret, Buffer.from(ciphertext, 'base64'), contextOf(eventId, field));
  return JSON.parse(plain.toString()) as JsonValue;
};

export const unsealWith =
  (keys: PersonalDataKeys) =>
  async (sealed: readonly Sealed[]): Promise<readonly (JsonValue | Forgotten)[]> => {
    const fields = sealed.map((text) => {
      if (text.startsWith('.')) return { value: JSON.parse(text.slice(1)) as JsonValue };
      const field = parse(text);
      if (!field) throw new Error('A value of a read model is not a sealed personal field.');
      return { field };
    });
    const subjects = new Set(fields.flatMap(({ field }) => (field ? [field.subject] : [])));
    const found = subjects.size > 0 ? await keys.keysOf([...subjects]) : new Map<string, KeyState>();
    return fields.map(({ field, value = null }) =>
      field ? unsealOne(field, found.get(field.subject)) : value,
    );
  };

const unsealNothing = async (sealed: readonly Sealed[]): Promise<readonly never[]> => {
  if (sealed.length === 0) return [];
  throw new Error(
    'This event store has no keys of personal fields: it was opened without event types that need them.',
  );
};

/** Of a store without keys. */
export const withoutKeys: Pick<EventStore, 'unseal' | 'forget'> = {
  unseal: unsealNothing,
  forget: async () => {
    throw new Error('This event store has no keys of personal fields, so it cannot forget an account.');
  },
};
