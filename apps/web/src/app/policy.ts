import * as z from 'zod';

// The page's policy forbids code made from text, and even zod's probe for it would be reported.
z.config({ jitless: true });
