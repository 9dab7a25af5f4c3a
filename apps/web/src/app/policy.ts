import * as z from 'zod';

// Imported before everything else: the content policy forbids code made from text, and even zod's test whether it
// is allowed would be reported as a violation.
z.config({ jitless: true });
