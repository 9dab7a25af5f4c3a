/** An account that the sign-in page offers. */
export type Persona = Readonly<{
  label: string;
  email: string;
  firstName: string;
  lastName: string;
  about: string;
}>;

export const personas: readonly Persona[] = [
  {
    label: 'Free',
    email: 'free@tapedeck.example',
    firstName: 'Frida',
    lastName: 'Lindqvist',
    about: 'member without a subscription',
  },
  {
    label: 'Pro',
    email: 'pro@tapedeck.example',
    firstName: 'Priya',
    lastName: 'Raman',
    about: 'member with Pro',
  },
  {
    label: 'Elite',
    email: 'elite@tapedeck.example',
    firstName: 'Elias',
    lastName: 'Okafor',
    about: 'member with Elite',
  },
  {
    label: 'Admin',
    email: 'admin@tapedeck.example',
    firstName: 'Ada',
    lastName: 'Moreau',
    about: 'runs the catalogue',
  },
  {
    label: 'Support',
    email: 'support@tapedeck.example',
    firstName: 'Sunil',
    lastName: 'Costa',
    about: 'answers members',
  },
  {
    label: 'New member',
    email: 'new@tapedeck.example',
    firstName: 'Nadia',
    lastName: 'Petrov',
    about: 'signs in for the first time',
  },
];
